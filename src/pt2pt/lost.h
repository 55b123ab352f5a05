// Node processes that are lost (docs/between_processes.md): operations that wait for them complete
// with MPI_ERR_PROC_ABORTED, and so do later ones.
//
// Invariant: a loss is recorded first, and then those who wait are looked for. Whoever begins to
// wait enters itself first, and then looks for recorded losses. So one of the two sees the other
// [lost-1].
#pragma once
#include "comm/communicator.h"
#include "comm/span.h"
#include "pt2pt/request.h"

namespace thrum {

// The marks of a request that is complete, but failed because a process was lost. A receive has
// this size, and the process's number as its tag. A send has this sender, and the number as the
// serial.
inline constexpr size_t lost_message_bytes = SIZE_MAX;
inline constexpr uint64_t lost_sender = UINT64_MAX;

extern std::atomic<int> lost_processes; // their number
// The number of those that belong to this process's MPI_COMM_WORLD, which meet in MPI_Finalize.
extern std::atomic<int> lost_processes_of_world;

// Handles the fabric's report that `process` has ended (FabricJob). The end of a process of another
// MPI_COMM_WORLD may be in order: after MPI_Comm_disconnect it may end before this one. It counts
// as lost when the launcher reports it, too. If the launcher reports nothing, it counts if the two
// are connected and the process has not said that it leaves.
void lose_process(NodeProcess process) MAY_SUSPEND;
// Handles the launcher's report that `process` has failed.
void note_failed_process(NodeProcess process) MAY_SUSPEND;
// The job ends because of a report. Ranks that see other processes end first must not take that for
// failures: what they print would follow the report.
void ignore_losses();

// Registers a function of a layer above, which is called when a process is lost, and when a process
// that has left has ended. It runs on any thread and must not wait. Idempotent.
void when_process_is_lost(void (*function)(NodeProcess process));

// Records that `process` has said that it leaves the job: its end is not a loss.
void note_departure(NodeProcess process);
bool has_left(NodeProcess process);

// Returns MPI_ERR_PROC_ABORTED, naming the ranks of `process`.
[[gnu::cold]] Error lost_process_error(NodeProcess process);
[[gnu::cold]] std::string lost_process_sentence(NodeProcess process);

// Returns success, or the error of a send whose receiver was lost.
inline Error send_result(const SendRequest &request) {
    return request.remote_sender != lost_sender
               ? success
               : lost_process_error(NodeProcess(static_cast<int>(request.remote_serial)));
}

bool is_lost_process(NodeProcess process);
// Returns the number behind the highest lost process.
int lost_process_end();
// Returns the lost process of rank `source`; no_process if it is not lost, or for MPI_ANY_SOURCE:
// others may send.
NodeProcess lost_process_of(const Communicator &comm, int source);
// Returns one of the lost processes in which `span` has members; no_process if none is lost.
NodeProcess lost_process_in(const ProcessMap &span);

// Does the rest of has_lost_its_source().
[[gnu::cold]] bool fail_posted(ReceiveRequest &request, Mailbox &mailbox);

// Returns whether no rank can send what `request`, which has just been posted, waits for. Then it
// is out of the queue and has its result, but its completion is not touched.
inline bool has_lost_its_source(ReceiveRequest &request, Mailbox &mailbox) {
    // seq_cst [lost-1]
    return lost_processes.load(std::memory_order_seq_cst) > 0 && fail_posted(request, mailbox);
}

} // namespace thrum
