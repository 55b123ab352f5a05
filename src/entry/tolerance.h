// Tolerance: uses that the MPI standard forbids, but that other MPIs accept and programs rely on.
// Thrum accepts them, too, and warns once in each process; with `mpiexec --check` (THRUM_CHECK=1)
// they are errors.
#pragma once
#include "base/error.h"
#include "base/settings.h"
#include "datatype/op.h"

#include <atomic>

namespace thrum {

// The uses that are tolerated; each is warned about once.
enum class Tolerance : uint8_t {
    NullDatatype,       // MPI_DATATYPE_NULL with count 0
    CollectiveFreed,    // MPI_Request_free of a completed collective operation
    CharacterReduction, // MPI_SUM etc. on MPI_CHAR
    LogicalOnAddresses, // MPI_LAND etc. on MPI_AINT, MPI_COUNT and MPI_OFFSET
    UnknownPort,        // MPI_Publish_name of a port that is not open
    UnmatchedReceive,   // a receive that was freed, and got no message
    AliasedBuffers,     // send and receive buffers of a collective call that overlap
    AliasedSendrecv,    // those of MPI_Sendrecv
    ReadySend,          // MPI_Rsend before the receive is posted
    OpenFence,          // MPI_Win_free of a window with operations since the last fence
    DistantAddresses,   // MPI_ADDRESS of variables more than 2 GiB apart
};

inline constexpr int tolerance_count = 11;            // entries of the enum
extern std::atomic<bool> has_warned[tolerance_count]; // set by any rank; never cleared

// Returns whether `what` is allowed and has been warned about. Then the caller need not make its
// error, which costs more than the check.
inline bool is_tolerated(Tolerance what) {
    return has_warned[static_cast<int>(what)].load(std::memory_order_relaxed);
}

// Warns with the text of `error` and returns success, or returns the error.
[[gnu::cold]] Error tolerate(Tolerance what, Error error);

// Works like check_op() of datatype/op.h, but tolerates what is widely accepted.
[[gnu::cold]] Error tolerate_operation(const Op &op, const Datatype &datatype, Error error);

// Checks that the operation is defined on the datatype, with tolerance.
inline Error check_operation(const Op &op, const Datatype &datatype) {
    Error error = check_op(op, datatype);
    return error ? tolerate_operation(op, datatype, error) : error;
}

// Handles the receives that finish_freed_receives() and similar functions have cancelled.
[[gnu::cold]] Error tolerate_cancelled(int receives);

// Handles the receives that finish_freed_receives() and similar functions have cancelled: their
// number.
inline Error allow_cancelled(int receives) {
    return receives > 0 ? tolerate_cancelled(receives) : success;
}

} // namespace thrum
