// Departure: the point after which a rank can send no more messages. At the end of MPI, receives
// that were freed while active are waited for (MPI 5.0 sections 3.7.3 and 11.2.2), until they are
// matched or every rank that could match them has departed.
//
//   departs      MPI_Finalize, the end of its last session, or its own end: every envelope of the
//                rank has left by then, as sends leave theirs before they return
//   elsewhere    the receiver's process asks; the answer follows the messages of that rank
//
// Invariant: a departure is recorded under the lock under which others begin to wait for it. So a
// rank that begins to wait either sees it or is woken by it.
#pragma once
#include "comm/process.h"
#include "pt2pt/request.h"

namespace thrum {

// What the communicator of a receive is derived from: it decides which event is the departure.
enum class SendingModel : uint8_t {
    World,
    Sessions,
    // All members have called MPI_Comm_disconnect: a question is answered at once, behind the
    // messages that they have sent.
    Disconnected,
};

inline SendingModel sending_model_of(const Communicator &comm) {
    return comm.session ? SendingModel::Sessions : SendingModel::World;
}

// Records that `process` sends nothing more on communicators of `model`, and wakes all that wait
// for this. Idempotent.
void depart(Process &process, SendingModel model) MAY_SUSPEND;
// Records that `process` has opened a session again.
void return_to_sessions(Process &process);

// Waits until the pending `receive` is complete, and cancels it when all ranks that could send its
// message have departed. Returns whether it was cancelled. `model`: that of its communicator, or
// Disconnected.
bool await_freed_receive(ReceiveRequest &receive, SendingModel model) MAY_SUSPEND;

// Called by arrive functions. Process `source` asks for the departure of rank `world_rank`, which
// is in this process; or a question of this process has been answered.
void departure_is_asked_for(NodeProcess source, int world_rank, SendingModel model,
                            uint64_t question) MAY_SUSPEND;
void departure_is_told(uint64_t question);

} // namespace thrum
