// Kernels of the operations on single values (MPI 5.0 section 6.9.2): a template for the loop, and
// the table of its instances by operation and representation, made at compile time. Each loop is
// plain enough for the compiler to vectorise.
//
// Only for files that are built for one kind of processor each: all is in an anonymous namespace,
// so that each file has its own instances.
#pragma once
#include "datatype/kernel_table.h"
#include "datatype/representation.h"

#include <type_traits>
#include <utility>

namespace thrum {
namespace {

// Signed sums and products wrap around, as on every machine. They are computed in an unsigned type
// at least as wide as int, because narrower ones are promoted to signed int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) <= 4, uint32_t,
                                    std::conditional_t<sizeof(T) == 8, uint64_t, Uint128>>;

// Complex arithmetic by the textbook formulas, without C's treatment of infinities: that would not
// vectorise.
template <class T>
ComplexOf<T> operator+(ComplexOf<T> a, ComplexOf<T> b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
}

template <class T>
ComplexOf<T> operator*(ComplexOf<T> a, ComplexOf<T> b) {
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
}

// Combines two values. Logical operations have no short circuit, so that they vectorise.
template <OpKind op, BasicKind kind, class T>
T combine(T a, T b) {
    if constexpr (op == OpKind::Sum || op == OpKind::Prod) {
        if constexpr (is_integer(kind)) {
            // Only the low bits matter, however the value is extended.
            auto x = static_cast<Wrapping<T>>(a); // NOLINT(bugprone-signed-char-misuse)
            auto y = static_cast<Wrapping<T>>(b); // NOLINT(bugprone-signed-char-misuse)
            return static_cast<T>(op == OpKind::Sum ? x + y : x * y);
        } else if constexpr (op == OpKind::Sum) {
            return a + b;
        } else {
            return a * b;
        }
    } else if constexpr (op == OpKind::Min) {
        return a < b ? a : b;
    } else if constexpr (op == OpKind::Max) {
        return a > b ? a : b;
    } else if constexpr (op == OpKind::BitAnd) {
        return static_cast<T>(a & b);
    } else if constexpr (op == OpKind::BitOr) {
        return static_cast<T>(a | b);
    } else if constexpr (op == OpKind::BitXor) {
        return static_cast<T>(a ^ b);
    } else if constexpr (op == OpKind::LogicalAnd) {
        return static_cast<T>((a != 0) & (b != 0));
    } else if constexpr (op == OpKind::LogicalOr) {
        return static_cast<T>((a != 0) | (b != 0));
    } else {
        return static_cast<T>((a != 0) ^ (b != 0));
    }
}

// Returns whether reduce() has a loop for this operation on this kind of value.
constexpr bool has_kernel(OpKind op, BasicKind kind) {
    switch (op) {
    case OpKind::Sum:
    case OpKind::Prod:
        return is_integer(kind) || is_real(kind) || is_complex(kind);
    case OpKind::Min:
    case OpKind::Max:
        return is_integer(kind) || is_real(kind);
    case OpKind::BitAnd:
    case OpKind::BitOr:
    case OpKind::BitXor:
        return is_integer(kind) || kind == BasicKind::Byte;
    case OpKind::LogicalAnd:
    case OpKind::LogicalOr:
    case OpKind::LogicalXor:
        return is_integer(kind) || is_logical(kind);
    default:
        return false;
    }
}

// The loop. The buffers do not overlap.
template <OpKind op, BasicKind kind>
void reduce(const void *in_buffer, void *inout_buffer, Count count) {
    using T = Representation<kind>;
    const T *__restrict in = static_cast<const T *>(in_buffer);
    T *__restrict inout = static_cast<T *>(inout_buffer);
    for (Count i = 0; i < count; ++i)
        inout[i] = combine<op, kind, T>(in[i], inout[i]);
}

// Returns the loop, or nullptr: it is only instantiated where it is defined.
template <OpKind op, BasicKind kind>
constexpr OpKernel kernel() {
    if constexpr (has_kernel(op, kind))
        return reduce<op, kind>;
    else
        return nullptr;
}

template <OpKind op, int... kinds>
constexpr void fill_row(OpKernel *row, std::integer_sequence<int, kinds...>) {
    ((row[kinds] = kernel<op, static_cast<BasicKind>(kinds)>()), ...);
}

template <int... ops>
constexpr KernelTable make_rows(std::integer_sequence<int, ops...>) {
    KernelTable table{};
    (fill_row<static_cast<OpKind>(ops)>(table.kernels[ops],
                                        std::make_integer_sequence<int, KernelTable::kinds>()),
     ...);
    return table;
}

constexpr KernelTable make_table() {
    return make_rows(std::make_integer_sequence<int, KernelTable::operations>());
}

} // namespace
} // namespace thrum
