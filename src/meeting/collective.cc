#include "meeting/collective.h"

#include "comm/process.h"
#include "comm/tool_counts.h"

#include <mpi.h>

namespace thrum {
namespace {

constexpr const char *names[] = {"nothing",
                                 "a communicator's creation",
                                 "MPI_Cart_create",
                                 "MPI_Cart_sub",
                                 "MPI_Graph_create",
                                 "MPI_Dist_graph_create",
                                 "MPI_Dist_graph_create_adjacent",
                                 "MPI_Barrier",
                                 "MPI_Bcast",
                                 "MPI_Gather",
                                 "MPI_Gatherv",
                                 "MPI_Scatter",
                                 "MPI_Scatterv",
                                 "MPI_Allgather",
                                 "MPI_Allgatherv",
                                 "MPI_Alltoall",
                                 "MPI_Alltoallv",
                                 "MPI_Alltoallw",
                                 "MPI_Reduce",
                                 "MPI_Allreduce",
                                 "MPI_Reduce_scatter",
                                 "MPI_Reduce_scatter_block",
                                 "MPI_Scan",
                                 "MPI_Exscan",
                                 "a window's creation",
                                 "MPI_Win_fence",
                                 "MPI_Win_free",
                                 "MPI_File_open",
                                 "MPI_File_close",
                                 "MPI_File_set_view",
                                 "MPI_File_set_size",
                                 "MPI_File_preallocate",
                                 "MPI_File_set_info",
                                 "MPI_File_set_atomicity",
                                 "MPI_File_sync",
                                 "MPI_File_seek_shared",
                                 "MPI_File_read_all or MPI_File_read_at_all",
                                 "MPI_File_read_ordered",
                                 "MPI_File_write_all or MPI_File_write_at_all",
                                 "MPI_File_write_ordered",
                                 "MPI_File_read_all_begin",
                                 "MPI_File_read_at_all_begin",
                                 "MPI_File_read_ordered_begin",
                                 "MPI_File_write_all_begin",
                                 "MPI_File_write_at_all_begin",
                                 "MPI_File_write_ordered_begin",
                                 "acl_begin",
                                 "acl_end",
                                 "MPI_Comm_dup"};

// Of those from MPI_Barrier to MPI_Exscan: non-blocking, persistent.
constexpr const char *other_names[][2] = {
    {"MPI_Ibarrier", "MPI_Barrier_init"},
    {"MPI_Ibcast", "MPI_Bcast_init"},
    {"MPI_Igather", "MPI_Gather_init"},
    {"MPI_Igatherv", "MPI_Gatherv_init"},
    {"MPI_Iscatter", "MPI_Scatter_init"},
    {"MPI_Iscatterv", "MPI_Scatterv_init"},
    {"MPI_Iallgather", "MPI_Allgather_init"},
    {"MPI_Iallgatherv", "MPI_Allgatherv_init"},
    {"MPI_Ialltoall", "MPI_Alltoall_init"},
    {"MPI_Ialltoallv", "MPI_Alltoallv_init"},
    {"MPI_Ialltoallw", "MPI_Alltoallw_init"},
    {"MPI_Ireduce", "MPI_Reduce_init"},
    {"MPI_Iallreduce", "MPI_Allreduce_init"},
    {"MPI_Ireduce_scatter", "MPI_Reduce_scatter_init"},
    {"MPI_Ireduce_scatter_block", "MPI_Reduce_scatter_block_init"},
    {"MPI_Iscan", "MPI_Scan_init"},
    {"MPI_Iexscan", "MPI_Exscan_init"},
};

} // namespace

const char *collective_name(Collective collective, CallForm form) {
    const bool has_other_forms =
        collective >= Collective::Barrier && collective <= Collective::Exscan;
    if (form == BlockingForm || !has_other_forms)
        return names[static_cast<size_t>(collective)];
    return other_names[static_cast<size_t>(collective) - static_cast<size_t>(Collective::Barrier)]
                      [form == NonblockingForm ? 0 : 1];
}

PERFORMANCE_VARIABLE(collective_calls, .category = "collectives",
                     .description = "collective operations that this rank has begun: blocking and "
                                    "non-blocking ones, and starts of persistent ones",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(comm_collective_calls, .category = "collectives",
                     .description = "collective_calls, of one communicator",
                     .bind = MPI_T_BIND_MPI_COMM, .counted = &collective_calls);
PERFORMANCE_VARIABLE(collective_rounds, .category = "collectives",
                     .description = "times that this rank has met the other members of a "
                                    "communicator; a collective operation takes one to three, the "
                                    "making of a communicator some, too",
                     .verbosity = MPI_T_VERBOSITY_MPIDEV_BASIC);

namespace {

Recorder *recorder_of_caller(const Communicator &comm) {
    return comm.process->mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
}

} // namespace

void record_collective(const Communicator &comm) {
    if (Recorder *recorder = recorder_of_caller(comm))
        recorder->count_in(comm.context->id, collective_calls);
}

void record_round(const Communicator &comm) {
    count_for_tools(*comm.process, collective_rounds);
}

} // namespace thrum
