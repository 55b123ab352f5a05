// Packets of collective operations from other processes, at the receiver: the mailbox in which a
// packet waits for its receive, or a receive for its packet, and how receives end whose packet will
// not come. Nearly all of it is about operations that fail.
//
// A packet carries `said`, a number for the operation that its sender takes part in. If the
// receiver takes part in another one, the members have called different operations.
#pragma once
#include "comm/span.h"
#include "match/mailbox.h"
#include "pt2pt/request.h"

#include <string>

namespace thrum {

// Receives a packet of any size. Afterwards request.buffer is its data, from malloc, and
// request.size_bytes their size.
struct PacketReceive : ReceiveRequest {
    // The operation fails if any of the processes of `span` is lost. `expected`: the number that
    // the senders of all of its packets should send.
    PacketReceive(const Envelope &envelope, const ProcessMap &span, uint32_t expected);
    const ProcessMap &span;
    const uint32_t expected;
    // The number that the sender has sent. If it is not the expected one, there are no data, and
    // envelope.source names the sender, which may be another than the awaited one.
    uint32_t said = 0;
    // The error class and sentence with which it has failed, instead of data; 0: it has not failed.
    int fault = 0;
    std::string sentence;
};

// Returns this process's mailbox for packets.
Mailbox &packet_mailbox();

// Completes, without data, a receive that was posted for a packet of this process itself, which
// sends none. Such a receive waits for this call, or for a failure of the operation. `occasion`:
// context id of the communicator and tag, as upper and lower half.
void pass_packet(uint64_t occasion);

// Handles a packet of this envelope that no receive waits for; its sender takes part in operation
// `said`. A receive of the same operation that expects another number would wait in vain: it is
// completed with the mismatch.
void disturb_waiting_packet(const Envelope &envelope, uint32_t said);

// Records that the operation of this context and tag has failed elsewhere, and fails receives that
// wait for its packets, or will.
void fail_packets_of(const Envelope &envelope, int fault, const std::string &sentence);
// Fails the receives of operations in which the lost `process` takes part.
void fail_packets_with(NodeProcess process);

// Returns whether the operation is known to have failed. Called before the receive is posted, with
// the mailbox's lock held.
bool fails_at_once(PacketReceive &packet);
// Fails a posted receive if a process of its operation is lost (lost.h). Returns false if it waits,
// or if another thread completes it.
bool fail_if_lost(PacketReceive &packet);

} // namespace thrum
