// Sends to other processes. A message that needs an answer has a RemoteSend, whose address travels
// with it. The answer, a cancellation or the loss of the process takes it off the list of pending
// sends and frees it.
#include "pt2pt/remote_send.h"

#include "base/fabric_settings.h"
#include "base/list.h"
#include "comm/process.h"
#include "comm/span.h"
#include "observe/event_log.h"
#include "pt2pt/buffered.h"
#include "pt2pt/control_message.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/flow_control.h"
#include "pt2pt/lost.h"
#include "pt2pt/message_record.h"
#include "pt2pt/type_check.h"
#include "wireup/wireup.h"

#include <cstdlib>
#include <utility>

namespace thrum {
namespace {

// The sender's part of a message that waits for an answer.
struct RemoteSend {
    SendRequest *request; // nullptr: a packet
    NodeProcess process;  // the one that should answer
    ListHook pending{};   // in pending_sends
    RemoteMemory memory{};
    bool exposed = false;
    void *packed = nullptr;             // a copy of data with gaps
    void (*released)(void *) = nullptr; // set for a packet: called with `argument` at the end
    void *argument = nullptr;
};

// The sends that wait for an answer.
struct PendingSends {
    SpinLock lock; // guards the list
    List<RemoteSend, &RemoteSend::pending> list;
};

PendingSends &pending_sends() {
    static auto *sends = new PendingSends; // never destroyed: messages come until the process ends
    return *sends;
}

// Enters the send before its message leaves: the answer may come at once.
void await_answer(RemoteSend &send) {
    LockGuard guard(pending_sends().lock);
    pending_sends().list.push_back(send);
}

uint32_t new_serial() {
    static std::atomic<uint32_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

// The data in one piece, for the duration of a send. Frees its copy, unless it is released.
class Contiguous {
public:
    explicit Contiguous(const SourceData &data)
        : address_(data.buffer),
          packed_(data.dense() ? nullptr : allocate_for_message(data.size_bytes)) {
        if (packed_) {
            pack_all(data, packed_);
            address_ = packed_;
        }
    }

    ~Contiguous() { std::free(packed_); }

    Contiguous(const Contiguous &) = delete;
    Contiguous &operator=(const Contiguous &) = delete;

    const void *address() const { return address_; }

    void *release() { return std::exchange(packed_, nullptr); }

private:
    const void *address_;
    void *packed_;
};

size_t long_header_bytes(const EnvelopeHeader &header) {
    return header.dest == packet_mailbox_number ? sizeof header : message_header_bytes;
}

// Sends envelope and data. Returns false if the process is lost.
bool send_with_data(NodeProcess process, Channel channel, EnvelopeHeader &header,
                    const void *data) MAY_SUSPEND {
    header.data_came_along = 1;
    iovec part{const_cast<void *>(data), header.size_bytes};
    const bool is_short = !header.sender && !header.serial &&
                          header.dest != packet_mailbox_number &&
                          header.types != RemoteTypes::several;
    return fabric_send(process, channel, MessageKind::Envelope, &header,
                       is_short ? short_header_bytes : long_header_bytes(header), &part,
                       header.size_bytes > 0);
}

bool is_on_another_node(NodeProcess process) {
    return node_of(process) != node_of(this_node_process());
}

// Returns whether the data of a message go with its envelope. Between nodes a few packets cost less
// than another round trip.
bool data_go_along(NodeProcess process, size_t size_bytes) {
    return size_bytes <= settings().eager_bytes_max ||
           (size_bytes <= fabric_settings().network_eager_bytes_max && is_on_another_node(process));
}

// Sends the envelope only, and exposes the data.
bool send_announcement(NodeProcess process, Channel channel, EnvelopeHeader &header,
                       RemoteSend &send, const void *data) MAY_SUSPEND {
    send.memory = fabric_expose(data, header.size_bytes);
    send.exposed = true;
    header.memory = send.memory;
    // The answer may come before the call returns, and free `send`.
    return fabric_send(process, channel, MessageKind::Envelope, &header, long_header_bytes(header));
}

// Completes a send whose wait for an answer is over.
void finish(RemoteSend *send, SendEnd end) {
    const bool cancelled = end == SendEnd::Cancelled;
    if (send->exposed)
        fabric_withdraw(send->memory);
    std::free(send->packed);
    if (SendRequest *request = send->request) {
        if (end == SendEnd::Lost) {
            request->remote_sender = lost_sender;
            request->remote_serial = static_cast<uint32_t>(send->process.number());
        }
        if (request->attached) {
            complete_attached_send(*request);
        } else {
            request->cancelled = cancelled;
            if (somebody_listens()) [[unlikely]]
                record_remote_end(*request);
            request->completion.complete();
        }
    } else {
        send->released(send->argument);
    }
    delete send;
}

// Ends `send`, whose process was lost while it was sent, unless it has been ended meanwhile. `send`
// may be freed: it is only compared until it is found in the list.
void fail_send(RemoteSend *send, NodeProcess process) {
    {
        LockGuard guard(pending_sends().lock);
        RemoteSend *pending = pending_sends().list.front();
        while (pending && pending != send)
            pending = pending_sends().list.next(*pending);
        if (!pending || pending->process != process)
            return;
        send->pending.unlink();
    }
    finish(send, SendEnd::Lost);
}

} // namespace

void end_send(uint64_t sender, SendEnd end) {
    auto *send = reinterpret_cast<RemoteSend *>(sender);
    {
        LockGuard guard(pending_sends().lock);
        send->pending.unlink();
    }
    finish(send, end);
}

void fail_sends(NodeProcess process) {
    // finish() runs without the lock, and may change the list: each search begins anew.
    for (;;) {
        RemoteSend *send;
        {
            LockGuard guard(pending_sends().lock);
            send = pending_sends().list.front();
            while (send && send->process != process)
                send = pending_sends().list.next(*send);
            if (!send)
                return;
            send->pending.unlink();
        }
        finish(send, SendEnd::Lost);
    }
}

bool send_to_process(const Outgoing &out, const Process &receiver, Buffering buffering) {
    if (buffering == Buffering::No || is_stopped(receiver) ||
        (buffering == Buffering::BetweenNodes && !is_on_another_node(process_number(receiver))))
        return false;
    Contiguous data(out.data);
    const RemoteTypes types = remote_types({out.data.datatype, out.data.size_bytes});
    EnvelopeHeader header{out.envelope,
                          receiver.number,
                          types.number,
                          out.data.size_bytes,
                          0,
                          0,
                          0,
                          {},
                          types.hash,
                          {}};
    if (somebody_listens()) [[unlikely]] {
        if (observe::logs_events())
            header.serial = new_serial(); // by which a trace finds both ends of the message
        record_remote_send(out.envelope, out.data.size_bytes, receiver.number, false,
                           header.serial);
    }
    return send_with_data(process_number(receiver), Channel::PointToPoint, header, data.address());
}

void leave_envelope_at_process(SendRequest &request, const Process &receiver) {
    const NodeProcess process = process_number(receiver);
    auto *send = new RemoteSend{.request = &request, .process = process};
    const SourceData source = outgoing_of(request).data;
    const RemoteTypes types = remote_types({source.datatype, source.size_bytes});
    EnvelopeHeader header{request.message.envelope,
                          receiver.number,
                          types.number,
                          request.size_bytes,
                          reinterpret_cast<uint64_t>(send),
                          new_serial(),
                          0,
                          {},
                          types.hash,
                          {}};
    request.remote_sender = header.sender;
    request.remote_serial = header.serial;
    if (somebody_listens()) [[unlikely]]
        record_remote_send(header.envelope, header.size_bytes, receiver.number, true,
                           header.serial);
    Contiguous data(source);
    const bool stopped = is_stopped(receiver) && source.size_bytes > 0;
    // Enters the list before the envelope leaves, because the answer may arrive at once.
    await_answer(*send);
    bool sent;
    if (data_go_along(process, source.size_bytes) && !stopped) {
        sent = send_with_data(process, Channel::PointToPoint, header, data.address());
    } else {
        send->packed = data.release();
        sent = send_announcement(process, Channel::PointToPoint, header, *send, data.address());
    }
    if (!sent)
        fail_send(send, process);
}

void cancel_at_process(SendRequest &request, const Process &receiver) {
    send_control(process_number(receiver),
                 {Control::Cancel, request.remote_serial, request.remote_sender, receiver.number});
}

void send_packet(NodeProcess process, const Envelope &envelope, const PacketLabel &label,
                 const void *data, size_t size_bytes, void (*released)(void *argument),
                 void *argument) {
    EnvelopeHeader header{
        envelope, packet_mailbox_number, label.types.number, size_bytes, 0, label.said, 0,
        {},       label.types.hash,      label.origin};
    if (data_go_along(process, size_bytes)) {
        (void)send_with_data(process, Channel::Collective, header, data);
        released(argument);
        return;
    }
    auto *send = new RemoteSend{.request = nullptr, .process = process};
    send->released = released;
    send->argument = argument;
    header.sender = reinterpret_cast<uint64_t>(send);
    // As above: the answer may arrive at once.
    await_answer(*send);
    if (!send_announcement(process, Channel::Collective, header, *send, data))
        fail_send(send, process);
}

void send_fault(NodeProcess process, const Envelope &envelope, const PacketFault &fault) {
    const ControlHeader header{Control::Fault, static_cast<uint32_t>(envelope.tag),
                               envelope.context, fault.code};
    MemberCalls calls = fault.calls;
    iovec parts[] = {{&calls, sizeof calls},
                     {const_cast<char *>(fault.sentence.data()), fault.sentence.size()}};
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::PointToPointControl, &header,
                      sizeof header, parts, 2);
}

} // namespace thrum
