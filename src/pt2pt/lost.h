// Node processes that are lost (docs/between_processes.md): what waits for them completes with
// MPI_ERR_PROC_ABORTED, now and later.
//
// Invariant: a loss is noted first, then everybody who waits is looked for; who begins to wait does
// so first, and then looks whether a loss has been noted. One of the two sees the other.
#pragma once
#include "comm/communicator.h"
#include "comm/span.h"
#include "pt2pt/request.h"

namespace thrum {

// What a request holds that is complete, but failed because a process was lost. A receive: this
// size, and the process's number as its tag. A send: this sender, and the number as the serial.
inline constexpr size_t lost_message_bytes = SIZE_MAX;
inline constexpr uint64_t lost_sender = UINT64_MAX;

extern std::atomic<int> lost_processes; // how many
// Of those of this process's MPI_COMM_WORLD, which meet in MPI_Finalize.
extern std::atomic<int> lost_processes_of_world;

// Of FabricJob: `process` is gone. If it is not of this process's MPI_COMM_WORLD that may be in
// order: after MPI_Comm_disconnect it may end before this one. Then it counts when the launcher
// says so, too, or, where that says nothing, if they are connected and it has not said that it
// leaves.
void lose_process(NodeProcess process) MAY_SUSPEND;
// The launcher says that `process` has failed.
void note_failed_process(NodeProcess process) MAY_SUSPEND;

// Has `function` called then, too, and when a process has ended that has left: of a layer above, on
// any thread, not to wait for anything.
// Idempotent.
void when_process_is_lost(void (*function)(NodeProcess process));

// `process` has said that it leaves the job: when it is gone, it is not lost.
void note_departure(NodeProcess process);
bool has_left(NodeProcess process);

// MPI_ERR_PROC_ABORTED, naming the ranks of `process`.
[[gnu::cold]] Error lost_process_error(NodeProcess process);
[[gnu::cold]] std::string lost_process_sentence(NodeProcess process);

// success, or that of a send whose receiver was lost.
inline Error send_result(const SendRequest &request) {
    return request.remote_sender != lost_sender
               ? success
               : lost_process_error(NodeProcess(static_cast<int>(request.remote_serial)));
}

bool is_lost_process(NodeProcess process);
int lost_process_end(); // behind the last lost one
// The lost process that rank `source` was in, or, for MPI_ANY_SOURCE, no_process: others may send.
NodeProcess lost_process_of(const Communicator &comm, int source);
// One of those in which `span` has members; no_process: none is lost.
NodeProcess lost_process_in(const ProcessMap &span);

[[gnu::cold]] bool fail_posted(ReceiveRequest &request, Mailbox &mailbox);

// After `request` has been posted: whether nobody can send what it waits for. It is complete then.
inline bool has_lost_its_source(ReceiveRequest &request, Mailbox &mailbox) {
    // seq_cst [lost-1]
    return lost_processes.load(std::memory_order_seq_cst) > 0 && fail_posted(request, mailbox);
}

} // namespace thrum
