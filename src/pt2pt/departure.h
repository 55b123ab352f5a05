// Departure: when a rank can send no more messages. Receives that were freed while they were active
// are waited for at the end of MPI (MPI 5.0 sections 3.7.3 and 11.2.2), until they are matched or
// every rank that could match them has departed.
//
//   departs      MPI_Finalize, the end of its last session, or its own end: every envelope of the
//                rank has left by then, as sends leave theirs before they return
//   elsewhere    the receiver's process asks; the answer comes behind the messages of that rank
//
// Invariant: a departure is noted under the lock under which others begin to wait for it, so it is
// either seen or told.
#pragma once
#include "comm/process.h"
#include "pt2pt/request.h"

namespace thrum {

// What the communicator of a receive is derived from.
enum class SendingModel : uint8_t {
    World,
    Sessions,
    // All members have come to MPI_Comm_disconnect: answered at once, behind what they have sent.
    Disconnected,
};

inline SendingModel sending_model_of(const Communicator &comm) {
    return comm.session ? SendingModel::Sessions : SendingModel::World;
}

// `process` sends nothing more on communicators of `model`. Idempotent.
void depart(Process &process, SendingModel model) MAY_SUSPEND;
// It has opened a session again.
void return_to_sessions(Process &process);

// Waits until `receive`, which is pending, is complete; cancels it when all ranks that could send
// what it waits for have departed. Returns whether it was cancelled. `model`: of its communicator,
// or Disconnected.
bool await_freed_receive(ReceiveRequest &receive, SendingModel model) MAY_SUSPEND;

// Called by arrive functions: process `source` asks for the departure of rank `world_rank`, which
// is here; the answer to a question of this process has come.
void departure_is_asked_for(NodeProcess source, int world_rank, SendingModel model,
                            uint64_t question) MAY_SUSPEND;
void departure_is_told(uint64_t question);

} // namespace thrum
