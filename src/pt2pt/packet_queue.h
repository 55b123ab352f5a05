// Packets of collective operations from other processes, at the receiver: the mailbox in which a
// packet waits for its receive, or a receive for its packet, and how receives end whose packet will
// not come. Nearly all of it is about operations that fail.
//
// A packet carries a label: a number for the operation that its sender takes part in, and more. If
// the receiver takes part in another one, the members have called different operations.
#pragma once
#include "comm/span.h"
#include "match/mailbox.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/request.h"

#include <array>
#include <optional>
#include <string>

namespace thrum {

// A call of a member of a communicator, for the report of an error. It travels as it is.
struct MemberCall {
    int member = -1;   // meeting/meeting.h; -1: none
    int unused = 0;    // no byte is undefined
    uint64_t code = 0; // of its call site (comm/call_names.h)
};

using MemberCalls = std::array<MemberCall, 2>;

// Why an operation has failed.
struct PacketFault {
    int code = 0; // error class; 0: it has not failed
    std::string sentence;
    MemberCalls calls{}; // that the sentence is about
};

// What a process has said of an operation in which it has taken part.
struct EndedOperation {
    uint32_t context = 0; // of its packets
    int tag = 0;
    uint32_t said = 0;
    PacketOrigin origin;
};

// A packet of an operation that has ended here without it: its sender takes part in another one.
struct StrayPacket {
    EndedOperation ended;
    int source = 0; // number of the sender's process
    PacketLabel label;
};

// Records that the operation has ended well here. Returns true if one of the packets that wait
// longest is a stray one of this operation.
bool end_operation(const EndedOperation &ended, StrayPacket &stray);
// Returns a stray packet of this context that has come after the end of its operation, once.
std::optional<StrayPacket> take_stray(uint32_t context);

// Receives a packet of any size. Afterwards request.buffer is its data, from malloc, and
// request.size_bytes their size.
struct PacketReceive : ReceiveRequest {
    // The operation fails if any of the processes of `span` is lost. `expected`: the number that
    // the senders of all of its packets should send.
    PacketReceive(const Envelope &envelope, const ProcessMap &span, uint32_t expected);
    const ProcessMap &span;
    const uint32_t expected;
    // What the sender says. If label.said is not the expected number, there are no data, and
    // envelope.source names the sender, which may be another than the awaited one.
    PacketLabel label;
    PacketFault fault; // with which it has failed, instead of data
};

// Of the tags of non-blocking operations, which are numbers of their own
// (pending/between_processes.cc): shifted by this they are 1.
inline constexpr int nonblocking_tag_shift = 29;

// Returns this process's mailbox for packets.
Mailbox &packet_mailbox();

// Completes, without data, a receive that was posted for a packet of this process itself, which
// sends none. Such a receive waits for this call, or for a failure of the operation. `occasion`:
// context id of the communicator and tag, as upper and lower half.
void pass_packet(uint64_t occasion);

// Returns what a packet that waits for its receive says.
inline PacketLabel label_of(const RemoteArrival &packet) {
    return {packet.serial, packet.types, packet.origin};
}

// Handles a packet of this envelope that no receive waits for. A receive of the same operation that
// expects another number would wait in vain: it is completed with the mismatch.
void disturb_waiting_packet(const Envelope &envelope, const PacketLabel &label);

// Records that the operation of this context and tag has failed elsewhere, and fails receives that
// wait for its packets, or will. If members call different non-blocking operations, the later ones
// of the communicator would wait for each other, and fail, too.
void fail_packets_of(const Envelope &envelope, const PacketFault &fault);
// Fails the receives of operations in which the lost `process` takes part.
void fail_packets_with(NodeProcess process);

// Returns whether the operation is known to have failed. Called before the receive is posted, with
// the mailbox's lock held.
bool fails_at_once(PacketReceive &packet);
// Fails a posted receive if a process of its operation is lost (lost.h). Returns false if it waits,
// or if another thread completes it.
bool fail_if_lost(PacketReceive &packet);

} // namespace thrum
