// Messages between node processes (docs/between_processes.md): the way of an envelope out to a rank
// of another process, and what happens when one arrives here.
#pragma once
#include "fabric/fabric.h"
#include "pt2pt/departure.h"
#include "pt2pt/send.h"

#include <string>

namespace thrum {

struct Process;
struct ProcessMap;

// A message from another process that waits in the unexpected queue for its receive: what
// UnexpectedMessage::data points at in Form::Remote.
struct RemoteArrival {
    int source;          // number of the node process
    uint32_t serial;     // of the sender's part
    uint64_t sender;     // the sender's part, which waits for an answer; 0: nobody does
    RemoteMemory memory; // where the data are, if not here
    void *data;          // from malloc; nullptr: not here
    size_t size_bytes;
};

// --- Out. The receiver is in another process. As their namesakes in send.h.

bool send_to_process(const Outgoing &out, const Process &receiver, Buffering buffering) MAY_SUSPEND;
void leave_envelope_at_process(SendRequest &request, const Process &receiver) MAY_SUSPEND;
// Asks the process of rank `sender`, which is elsewhere, for its departure (departure.h), and
// answers such a question.
void ask_for_departure(const Process &sender, SendingModel model, uint64_t question) MAY_SUSPEND;
void tell_departure(int process, uint64_t question) MAY_SUSPEND;
// MPI_Cancel of such a send: the request completes as cancelled if no receive has met the message.
void cancel_at_process(SendRequest &request, const Process &receiver) MAY_SUSPEND;

// --- In.

// Gives the message to `request`, which has met it. True if it is complete, without its completion
// word being touched; false: it will be completed when the data have been fetched.
bool receive_arrival(RemoteArrival &arrival, ReceiveRequest &request) MAY_SUSPEND;

// Mailboxes of this process whose senders elsewhere were told to send no data.
extern std::atomic<int> full_mailboxes;
// The receiver of `mailbox` has taken a message: whoever was stopped may go on, if there is room.
// The mailbox is not locked.
[[gnu::noinline]] void admit_processes(Mailbox &mailbox) MAY_SUSPEND;

// Looks for what comes from other processes until `completion` is done, while that is worth it. Of
// Completion::wait() it is the part that counts: it does not pause once a look has brought it.
inline void look_until_done(const Completion &completion) {
    constexpr unsigned looks_max = 1000;
    for (unsigned looks = 0; looks < looks_max && !completion.done() && should_spin(looks); ++looks)
        if (completion.done())
            return;
        else
            cpu_pause();
}

// Makes this process take in messages; before any of the others may send. Idempotent.
void begin_remote_messages();

// Whatever waits for an answer or a packet of `process`, which is lost, completes (pt2pt/lost.h).
void fail_messages_of(int process);
void tell_other_nodes_of_loss(int process) MAY_SUSPEND;

// --- Packets: from process to process, for collective operations, under an envelope whose source
// is the number of the sending process. They keep their order under one envelope.

// Calls released(argument) once the data are not needed any more, perhaps before it returns.
// `said`: what the sender takes the operation for; the receiver compares.
void send_packet(int process, const Envelope &envelope, uint32_t said, const void *data,
                 size_t size_bytes, void (*released)(void *argument), void *argument) MAY_SUSPEND;

// Receives a packet of any size: afterwards request.buffer is its data, from malloc, and
// request.size_bytes their number.
struct PacketReceive : ReceiveRequest {
    // The operation fails if any of the processes of `span` is lost. `expected`: what the senders
    // of all of its packets are to say.
    PacketReceive(const Envelope &envelope, const ProcessMap &span, uint32_t expected);
    const ProcessMap &span;
    const uint32_t expected;
    // By the sender. If it is not what was expected there are no data, and the sender, to which
    // envelope.source is set, may be another.
    uint32_t said = 0;
    // What it has failed with, instead of data: a class and a sentence; 0: it has not.
    int fault = 0;
    std::string sentence;
};

// Tells `process` that the operation that has this envelope's context and tag has failed: what
// waits there for its packets, or will, gets the fault.
void send_fault(int process, const Envelope &envelope, int fault,
                const std::string &sentence) MAY_SUSPEND;

// True if it is complete, without its completion word being touched.
bool receive_packet(PacketReceive &request) MAY_SUSPEND;

// A receive may also be posted from this process itself, which sends no packets: it waits for
// pass_packet(), which completes it without data, or for what has the operation fail. `occasion`:
// context id of the communicator and tag, as upper and lower half.
void pass_packet(uint64_t occasion);

} // namespace thrum
