// Tolerance: what the MPI standard forbids, but other MPIs accept and programs rely on. Thrum does
// it too and warns once in each process; with `mpiexec --check` (THRUM_CHECK=1) it is an error.
#pragma once
#include "base/error.h"
#include "base/settings.h"
#include "datatype/op.h"

#include <atomic>

namespace thrum {

enum class Tolerance : uint8_t {
    NullDatatype,       // MPI_DATATYPE_NULL with count 0
    CollectiveFreed,    // MPI_Request_free of a collective operation that is complete
    CharacterReduction, // MPI_SUM and the like on MPI_CHAR
    LogicalOnAddresses, // MPI_LAND and the like on MPI_AINT, MPI_COUNT and MPI_OFFSET
    UnknownPort,        // MPI_Publish_name of a port that nobody has opened
    UnmatchedReceive,   // a receive that was freed, and for which no message came
};

inline constexpr int tolerance_count = 6;
extern std::atomic<bool> has_warned[tolerance_count];

// Whether `what` is allowed and has been warned of: the caller need not make its error then.
inline bool is_tolerated(Tolerance what) {
    return has_warned[static_cast<int>(what)].load(std::memory_order_relaxed);
}

// Warns with the sentence of `error` and returns success, or returns it.
[[gnu::cold]] Error tolerate(Tolerance what, Error error);

// As check_op() of datatype/op.h, but for what is widely accepted.
[[gnu::cold]] Error tolerate_operation(const Op &op, const Datatype &datatype, Error error);

inline Error check_operation(const Op &op, const Datatype &datatype) {
    Error error = check_op(op, datatype);
    return error ? tolerate_operation(op, datatype, error) : error;
}

// Of the receives that finish_freed_receives() and its kin have cancelled.
[[gnu::cold]] Error tolerate_cancelled(int receives);

inline Error allow_cancelled(int receives) {
    return receives > 0 ? tolerate_cancelled(receives) : success;
}

} // namespace thrum
