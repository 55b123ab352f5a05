// The Fortran entry points of programs whose INTEGER and LOGICAL have 8 bytes
// (-fdefault-integer-8). Counts are large counts as they are. Every other number is
// converted to int and back, and one that does not fit becomes an invalid one.
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/large_count.h"
#include "fortran/convert.h"
#include "fortran/either_form.h"
#include "fortran/section.h"
#include "fortran/tool.h"
#include "mpi/attribute.h"
#include "mpi/peers.h"
#include "removed/datatypes.h"
#include "removed/integers.h"

#include <algorithm>
#include <climits>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace thrum::fortran::integer8 {
namespace {

// Describes the interface as converted.h asks for it.
struct Interface {
    template <class H>
    using Handle = int64_t;

    template <class H>
    static H to_standard(int64_t number) {
        return to_c<H>(converted::to_int<int64_t>(number));
    }

    template <class H>
    static int64_t from_standard(H handle) {
        return to_fortran(handle);
    }

    static const FortranProgram *programs() { return fortran::programs(); }

    // An array of MPI_STATUS_SIZE INTEGERs, whose fields are where those of 4 bytes have theirs.
    struct Status {
        int64_t MPI_SOURCE, MPI_TAG, MPI_ERROR;
        int64_t internal[std::size(MPI_Status().MPI_internal)];
    };

    static bool is_ignored(const Status *status) { return fortran::is_ignored(status, programs()); }

    static void to_standard_status(const Status &its, MPI_Status &status) {
        status.MPI_SOURCE = converted::to_int<int64_t>(its.MPI_SOURCE);
        status.MPI_TAG = converted::to_int<int64_t>(its.MPI_TAG);
        status.MPI_ERROR = converted::to_int<int64_t>(its.MPI_ERROR);
        std::copy(std::begin(its.internal), std::end(its.internal), status.MPI_internal);
    }

    static void from_standard_status(const MPI_Status &status, Status &its) {
        its.MPI_SOURCE = status.MPI_SOURCE;
        its.MPI_TAG = status.MPI_TAG;
        std::copy(std::begin(status.MPI_internal), std::end(status.MPI_internal), its.internal);
    }

    static int64_t from_standard_error(int64_t code) { return code; }
};

using Status = Interface::Status;
template <converted::Use use>
using StatusPlace = converted::StatusPlace<Interface, use>;
template <converted::Use use>
using Statuses = converted::Statuses<Interface, use>;
using CallbackStatus = fortran::CallbackStatus<Interface>;
using converted::ValueArray;
using converted::ValueArrayResult;
using converted::ValueResult;

#include "fortran/same_numbers.inc"

// An index in an array of requests: Fortran counts from 1.
constexpr int64_t to_fortran_index(int64_t index) {
    return index == MPI_UNDEFINED ? index : index + 1;
}

// A number that the call changes.
class ChangedNumber : public converted::ChangedValue<same, same, int64_t> {
public:
    using ChangedValue::ChangedValue;
};

// Numbers that the call returns.
template <auto from>
class NumbersResult : public ValueArrayResult<from, int64_t> {
public:
    using ValueArrayResult<from, int64_t>::ValueArrayResult;
};

// Numbers that the call changes.
class ChangedNumbers {
public:
    ChangedNumbers(int64_t *places, int64_t length) : places_(places), values_(length) {
        for (size_t i = 0; i < values_.length(); ++i)
            values_[i] = converted::to_int<int64_t>(places[i]);
    }

    ChangedNumbers(const ChangedNumbers &) = delete;
    ChangedNumbers &operator=(const ChangedNumbers &) = delete;

    ~ChangedNumbers() { std::copy_n(values_.get(), values_.length(), places_); }

    int *c() { return values_.get(); }

private:
    int64_t *places_;
    converted::Values<int> values_;
};

// Ranges of ranks: first, last and stride of each.
class Triples : public ValueArray<same, int64_t> {
public:
    Triples(const int64_t *places, int64_t count) : ValueArray(places, 3 * count) {}

    int (*c())[3] { return reinterpret_cast<int(*)[3]>(const_cast<int *>(ValueArray::c())); }
};

// The weights of edges, or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY.
template <class Kept>
class Weights {
public:
    Weights(int64_t *places, int64_t length)
        : constant_(constant_of(places)), weights_(constant_ ? nullptr : places, length) {}

    int *c() { return constant_ ? constant_ : const_cast<int *>(weights_.c()); }

private:
    static int *constant_of(int64_t *places) {
        auto *as_int = reinterpret_cast<int *>(places);
        int *converted = to_weights(as_int, Interface::programs());
        return converted == as_int ? nullptr : converted;
    }

    int *constant_;
    Kept weights_;
};

int64_t sum_of(const int64_t *numbers, int64_t count) {
    return std::accumulate(numbers, numbers + std::max<int64_t>(count, 0), int64_t{0});
}

// Returns how many edges a graph has: the last of its indices.
int64_t edges_of(const int64_t *index, int64_t nodes) {
    return nodes > 0 ? index[nodes - 1] : 0;
}

} // namespace

#define ENTRY(name) thrum_fortran_i8_##name
#define FORTRAN_ENTRIES "fortran/i8_entries.inc"
#pragma GCC visibility push(default)
#include "fortran/entry_points.inc"

namespace {

using Buffer = FortranBuffer;

[[gnu::always_inline]] inline Section to_section(const Buffer &buffer) {
    return {&buffer, to_buffer(buffer.base)};
}

} // namespace

#define F08_ENTRIES "fortran/i8_f08_entries.inc"
#include "fortran/f08.inc"
#pragma GCC visibility pop

} // namespace thrum::fortran::integer8
