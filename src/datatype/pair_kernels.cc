// MPI_MINLOC and MPI_MAXLOC on the pairs of a value and an index (MPI 5.0 section 6.9.4). A pair
// has the memory layout of the C struct with these members, also where that has a hole.
#include "datatype/op_kernels.h"
#include "datatype/representation.h"

#include <utility>

namespace thrum {
namespace {

// A value with its index.
template <class Value, class Index>
struct Pair {
    Value value;
    Index index;
};

// The members are assigned one by one: the hole between them is not part of the message.
template <OpKind op, BasicKind value_kind, BasicKind index_kind>
void reduce_pairs(const void *in_buffer, void *inout_buffer, Count count) {
    using P = Pair<Representation<value_kind>, Representation<index_kind>>;
    const P *__restrict in = static_cast<const P *>(in_buffer);
    P *__restrict inout = static_cast<P *>(inout_buffer);
    for (Count i = 0; i < count; ++i) {
        bool wins =
            op == OpKind::MinLoc ? in[i].value < inout[i].value : in[i].value > inout[i].value;
        if (wins) {
            inout[i].value = in[i].value;
            inout[i].index = in[i].index;
        } else if (in[i].value == inout[i].value && in[i].index < inout[i].index) {
            inout[i].index = in[i].index; // of equal values, the lowest index
        }
    }
}

// Returns whether these kinds form a pair. The index is an int, or in MPI_2REAL,
// MPI_2DOUBLE_PRECISION and MPI_2INTEGER of the value's own type (set_fortran_sizes()).
constexpr bool is_pair(BasicKind value, BasicKind index) {
    bool fortran = value == index && (value == BasicKind::Float || value == BasicKind::Double ||
                                      value == BasicKind::Float128 || value == BasicKind::Int64);
    return (is_integer(value) || is_real(value)) && (index == BasicKind::Int32 || fortran);
}

// Returns the loop for these types, or nullptr.
template <OpKind op, BasicKind value, BasicKind index>
constexpr OpKernel kernel() {
    if constexpr (is_pair(value, index))
        return reduce_pairs<op, value, index>;
    else
        return nullptr;
}

constexpr int kind_count = static_cast<int>(BasicKind::Float128) + 1;

// The kernels of one type of value, by the type of the index.
struct Row {
    OpKernel kernels[kind_count];
};

struct Table {
    Row rows[kind_count];
};

template <OpKind op, BasicKind value, int... indices>
constexpr Row make_row(std::integer_sequence<int, indices...>) {
    return {{kernel<op, value, static_cast<BasicKind>(indices)>()...}};
}

template <OpKind op, int... values>
constexpr Table make_table(std::integer_sequence<int, values...>) {
    return {{make_row<op, static_cast<BasicKind>(values)>(
        std::make_integer_sequence<int, kind_count>())...}};
}

constexpr Table minimum = make_table<OpKind::MinLoc>(std::make_integer_sequence<int, kind_count>());
constexpr Table maximum = make_table<OpKind::MaxLoc>(std::make_integer_sequence<int, kind_count>());

} // namespace

OpKernel find_pair_kernel(OpKind op, BasicKind value, BasicKind index) {
    auto row = static_cast<int>(value);
    auto column = static_cast<int>(index);
    if (row >= kind_count || column >= kind_count)
        return nullptr;
    return (op == OpKind::MinLoc ? minimum : maximum).rows[row].kernels[column];
}

} // namespace thrum
