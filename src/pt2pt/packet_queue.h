// Packets (remote.h) in the process to which they were sent: its mailbox for them, in which a
// packet waits for its receive, or the other way round, and how receives end whose packet will not
// come. Nearly all of it is about operations that fail.
#pragma once
#include "match/mailbox.h"
#include "pt2pt/remote.h"

#include <string>

namespace thrum {

Mailbox &packet_mailbox();

// A packet of this envelope has come that nobody waits for, and `said` is what its sender takes the
// operation for. Who waits for another one of the same operation, and takes that for something
// else, waits in vain.
void disturb_waiting_packet(const Envelope &envelope, uint32_t said);

// The operation of this context and tag has failed elsewhere: who waits for its packets, or will.
void fail_packets_of(const Envelope &envelope, int fault, const std::string &sentence);
// `process` is lost.
void fail_packets_with(int process);

// Before it is posted, with the lock of the mailbox held: whether it has failed.
bool fails_at_once(PacketReceive &packet);
// After it has been posted (lost.h). False: it waits, or somebody has completed it.
bool fail_if_lost(PacketReceive &packet);

} // namespace thrum
