// The performance variables of one-sided communication, and the slow path of count_rma().
#include "rma/access_record.h"

#include "comm/tool_counts.h"

namespace thrum {

PERFORMANCE_VARIABLE(rma_puts, .category = "one_sided",
                     .description = "puts of this rank, including request-based ones",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(rma_gets, .category = "one_sided",
                     .description = "gets of this rank, including request-based ones",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(
    rma_accumulates, .category = "one_sided",
    .description =
        "accumulates of this rank, including fetching and request-based ones and compare-and-swaps",
    .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(rma_bytes, .category = "one_sided",
                     .description = "bytes of data that puts, gets and accumulates of this rank "
                                    "have read or written at their targets",
                     .variable_class = MPI_T_PVAR_CLASS_AGGREGATE,
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(rma_flushes, .category = "one_sided",
                     .description = "calls of MPI_Win_flush and its variants by this rank");
PERFORMANCE_VARIABLE(
    rma_locks, .category = "one_sided",
    .description = "locks that this rank has acquired by MPI_Win_lock and MPI_Win_lock_all");
PERFORMANCE_VARIABLE(
    rma_lock_waits, .category = "one_sided",
    .description = "times that this rank had to wait for such a lock, which another rank held");

void record_rma(const Window &win, Counted what, size_t size_bytes) {
    static constexpr const PerformanceVariable *variables[] = {
        &rma_puts, &rma_gets, &rma_accumulates, &rma_flushes, &rma_locks, &rma_lock_waits};
    Process &process = *win.comm->process;
    count_for_tools(process, *variables[static_cast<size_t>(what)]);
    if (size_bytes > 0)
        count_for_tools(process, rma_bytes, size_bytes);
}

} // namespace thrum
