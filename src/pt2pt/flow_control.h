// Flow control between node processes: a receiver whose mailbox is full tells the processes that
// send to it to Stop; their next messages to that rank come without data, until it tells them to Go
// (TMPI, section 3.4).
#pragma once
#include "match/mailbox.h"
#include "pt2pt/control_message.h"

#include <atomic>

namespace thrum {

// Whether the receiver, which is elsewhere, has told this process to stop.
bool is_stopped(const Process &receiver);
// A Stop or Go has arrived.
void permission_arrived(const ControlHeader &header);

// Notes that process `source` is to be stopped. Returns the number of this Stop; 0: it has been
// told. The mailbox is locked.
uint32_t note_stopped(Mailbox &mailbox, NodeProcess source);

// Mailboxes of this process whose senders elsewhere were told to send no data.
extern std::atomic<int> full_mailboxes;
// The receiver of `mailbox` has taken a message: whoever was stopped may go on, if there is room.
// The mailbox is not locked.
[[gnu::noinline]] void admit_processes(Mailbox &mailbox) MAY_SUSPEND;

} // namespace thrum
