// Packets from other processes, for collective operations, where they arrive: the mailbox in which
// a packet waits for its receive, or the other way round, and how receives end whose packet will
// not come. Nearly all of it is about operations that fail.
#pragma once
#include "comm/span.h"
#include "match/mailbox.h"
#include "pt2pt/request.h"

#include <string>

namespace thrum {

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

Mailbox &packet_mailbox();

// A receive may also be posted from this process itself, which sends no packets: it waits for
// pass_packet(), which completes it without data, or for what has the operation fail. `occasion`:
// context id of the communicator and tag, as upper and lower half.
void pass_packet(uint64_t occasion);

// A packet of this envelope has come that nobody waits for, and `said` is what its sender takes the
// operation for. Who waits for another one of the same operation, and takes that for something
// else, waits in vain.
void disturb_waiting_packet(const Envelope &envelope, uint32_t said);

// The operation of this context and tag has failed elsewhere: who waits for its packets, or will.
void fail_packets_of(const Envelope &envelope, int fault, const std::string &sentence);
// `process` is lost.
void fail_packets_with(NodeProcess process);

// Before it is posted, with the lock of the mailbox held: whether it has failed.
bool fails_at_once(PacketReceive &packet);
// After it has been posted (lost.h). False: it waits, or somebody has completed it.
bool fail_if_lost(PacketReceive &packet);

} // namespace thrum
