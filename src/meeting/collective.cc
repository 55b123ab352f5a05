// The names of all operations, in the order of Collective, and the counts for tools.
#include "meeting/collective.h"

#include "comm/process.h"
#include "comm/tool_counts.h"
#include "meeting/round_log.h"
#include "observe/event_log.h"

#include <mpi.h>

namespace thrum {
namespace {

// The names of an operation in its forms.
struct Names {
    const char *blocking;
    const char *nonblocking = nullptr; // if the operation has other forms
    const char *init = nullptr;
};

#define FORMS(capital, small, rest)                                                                \
    {"MPI_" capital rest, "MPI_I" small rest, "MPI_" capital rest "_init"}

constexpr Names names[] = {
    {"nothing"},
    {"a communicator's creation"},
    {"MPI_Cart_create"},
    {"MPI_Cart_sub"},
    {"MPI_Graph_create"},
    {"MPI_Dist_graph_create"},
    {"MPI_Dist_graph_create_adjacent"},
    FORMS("B", "b", "arrier"),
    FORMS("B", "b", "cast"),
    FORMS("G", "g", "ather"),
    FORMS("G", "g", "atherv"),
    FORMS("S", "s", "catter"),
    FORMS("S", "s", "catterv"),
    FORMS("A", "a", "llgather"),
    FORMS("A", "a", "llgatherv"),
    FORMS("A", "a", "lltoall"),
    FORMS("A", "a", "lltoallv"),
    FORMS("A", "a", "lltoallw"),
    FORMS("R", "r", "educe"),
    FORMS("A", "a", "llreduce"),
    FORMS("R", "r", "educe_scatter"),
    FORMS("R", "r", "educe_scatter_block"),
    FORMS("S", "s", "can"),
    FORMS("E", "e", "xscan"),
    {"a window's creation"},
    {"MPI_Win_fence"},
    {"MPI_Win_free"},
    {"MPI_File_open"},
    {"MPI_File_close"},
    {"MPI_File_set_view"},
    {"MPI_File_set_size"},
    {"MPI_File_preallocate"},
    {"MPI_File_set_info"},
    {"MPI_File_set_atomicity"},
    {"MPI_File_sync"},
    {"MPI_File_seek_shared"},
    {"MPI_File_read_all or MPI_File_read_at_all"},
    {"MPI_File_read_ordered"},
    {"MPI_File_write_all or MPI_File_write_at_all"},
    {"MPI_File_write_ordered"},
    {"MPI_File_read_all_begin"},
    {"MPI_File_read_at_all_begin"},
    {"MPI_File_read_ordered_begin"},
    {"MPI_File_write_all_begin"},
    {"MPI_File_write_at_all_begin"},
    {"MPI_File_write_ordered_begin"},
    {"acl_begin"},
    {"acl_end"},
    {"MPI_Comm_dup"},
    {"MPI_Comm_disconnect"},
    {"MPI_Finalize"},
};

} // namespace

const char *collective_name(Collective collective, CallForm form) {
    const Names &all = names[static_cast<size_t>(collective)];
    if (form == BlockingForm || !all.nonblocking)
        return all.blocking;
    return form == NonblockingForm ? all.nonblocking : all.init;
}

PERFORMANCE_VARIABLE(collective_calls, .category = "collectives",
                     .description = "collective operations that this rank has begun: blocking and "
                                    "non-blocking ones, and starts of persistent ones",
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(comm_collective_calls, .category = "collectives",
                     .description = "collective_calls, of one communicator",
                     .bind = MPI_T_BIND_MPI_COMM, .counted = &collective_calls);

namespace {

Recorder *recorder_of_caller(const Communicator &comm) {
    return comm.process->mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
}

} // namespace

void record_collective(const Communicator &comm) {
    if (Recorder *recorder = recorder_of_caller(comm))
        recorder->count_in(comm.context->id, collective_calls);
    if (observe::logs_events() && comm.context->span)
        log_round(comm, 0, -1, nullptr);
}

} // namespace thrum
