// Flow control between node processes. If a receiver's mailbox is full, its process sends Stop to
// the processes that send to it. Their next messages to that rank come without data (as a
// rendezvous), until Go arrives (TMPI, section 3.4).
#pragma once
#include "match/mailbox.h"
#include "pt2pt/control_message.h"

#include <atomic>

namespace thrum {

// Returns whether the process of `receiver`, which is another one, has sent Stop.
bool is_stopped(const Process &receiver);
// Handles a Stop or Go that has arrived.
void permission_arrived(const ControlHeader &header);

// Records that process `source` is to be stopped. Returns the number of this Stop; 0 if it has been
// sent already. The caller holds the mailbox's lock.
uint32_t note_stopped(Mailbox &mailbox, NodeProcess source);

// The number of mailboxes of this process that have sent Stop and no Go. A receive reads only this.
extern std::atomic<int> full_mailboxes;
// Sends Go to the stopped processes if the mailbox has room again. Called when a message has been
// taken, without the mailbox's lock.
[[gnu::noinline]] void admit_processes(Mailbox &mailbox) MAY_SUSPEND;

} // namespace thrum
