// Warnings about uses that the standard forbids but other MPIs accept (tolerance.h).
#include "entry/tolerance.h"

#include "base/check.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "mpi.h"
#include "rank/rank.h"

namespace thrum {

std::atomic<bool> has_warned[tolerance_count];

// Warns once in each process for each kind of use, not once in each rank: a thousand ranks usually
// do the same.
Error tolerate(Tolerance what, Error error) {
    if (settings().is_strict())
        return error;
    if (settings().check == Settings::check_is_off)
        return success;
    // Of several ranks that come here first, one warns.
    if (has_warned[static_cast<int>(what)].exchange(true, std::memory_order_relaxed))
        return success;
    const RankThread &self = current_rank_thread();
    char place[512];
    report("warning: rank %d: %s: %s (at %s); allowed here, but not by the MPI standard (mpiexec "
           "--check makes it an error)",
           self.rank->world_rank,
           name_of_function(self.call.function.load(std::memory_order_relaxed)),
           error_detail(error.code()),
           describe_call_site(self.call.call_site.load(std::memory_order_relaxed), place,
                              sizeof place));
    return success;
}

// Returns `error`, or success if other MPIs accept the combination.
Error tolerate_operation(const Op &op, const Datatype &datatype, Error error) {
    if (!is_widely_accepted(op, datatype))
        return error;
    const Tolerance what = datatype.group == BasicGroup::Character ? Tolerance::CharacterReduction
                                                                   : Tolerance::LogicalOnAddresses;
    return is_tolerated(what) ? success : tolerate(what, error);
}

// A freed receive that no send can match any more was cancelled; otherwise its rank would wait for
// it in MPI_Finalize.
Error tolerate_cancelled(int receives) {
    if (is_tolerated(Tolerance::UnmatchedReceive))
        return success;
    return tolerate(Tolerance::UnmatchedReceive,
                    fail(MPI_ERR_PENDING,
                         "%d receive%s freed by MPI_Request_free got no message, and every rank "
                         "that could send one has finished: cancelled",
                         receives, receives == 1 ? "" : "s"));
}

} // namespace thrum
