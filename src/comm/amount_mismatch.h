// What happens when the receiver of data in a collective operation specifies more than the sender
// sends (MPI 5.0 section 6.1: the amounts must be equal): a warning, once for each pair of source
// lines in a process, or MPI_ERR_COUNT with `mpiexec --check`.
#pragma once
#include "comm/remote_types.h"
#include "comm/type_mismatch.h"

namespace thrum {

// Describes both sides: "SENDER sends 4 MPI_INT (16 bytes), but RECEIVER expects ...".
[[gnu::cold]] std::string amount_text(const std::string &sender, TypedBytes sent,
                                      const std::string &receiver, TypedBytes received);

// Does the same for data from another process.
[[gnu::cold]] std::string remote_amount_text(const std::string &sender, const RemoteTypes &types,
                                             size_t bytes, const std::string &receiver,
                                             TypedBytes received);

// Prints the warning and returns success, or returns the error. Called in the receiver's own MPI
// call, or in one that completes the operation for it.
[[gnu::cold]] Error judge_amount(const TypeMismatch &mismatch);

// Does this, or judge_mismatch(), for an error of class MPI_ERR_COUNT or MPI_ERR_TYPE that another
// member has found.
[[gnu::cold]] Error judge(int error_class, const TypeMismatch &mismatch);

} // namespace thrum
