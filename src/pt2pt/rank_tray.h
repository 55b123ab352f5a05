// The tray of a rank (match/tray.h): when it is open, and how what is in it meets the rank's
// receives.
//
//   a rank often waits for another core, or  opens its tray (TaskTray, Task::tray)
//   its mailbox's lock is contended
//   a sender takes that lock                 learns that the tray is open, and leaves tiny
//                                            messages there from then on (leave_in_tray)
//   the rank spins, tests or receives        takes them in: completes posted receives, and
//                                            queues the others
//   the rank is about to suspend             closes the tray
//
// So nobody has to wake a rank whose tray is open: it looks itself. Only ranks of one thread have
// one, and only while nothing records, holds or chooses messages.
#pragma once
#include "comm/process.h"
#include "fiber/task_tray.h"
#include "pt2pt/outgoing.h"
#include "pt2pt/request.h"

#include <atomic>

namespace thrum {

// Leaves a message in `tray`, which has been seen open, if it is that of `receiver` and the
// message is tiny and plain. Returns false if not; sets `tray` to nullptr if it is closed.
bool leave_in_tray(const Outgoing &out, Mailbox &receiver, std::atomic<Tray *> &tray);

// Opens the calling rank's tray, if that is allowed; begins to count again when it will be due.
// The caller holds the lock of the mailbox.
[[gnu::cold]] void open_tray(Mailbox &mailbox);

// Looks in the calling rank's open tray for the message that the receive asks for, and takes in
// what is before it. The caller holds the lock of the mailbox without having settled it. Returns
// true if the receive is complete: then the lock is released.
bool receive_from_tray_unlock(ReceiveRequest &request, Mailbox &mailbox);

// Takes in what is in the calling rank's tray, before a call looks whether receives are complete.
inline void look_into_tray() {
    if (TaskTray *tray = current_rank().tray.load(std::memory_order_relaxed)) [[unlikely]]
        tray->look();
}

// Closes the tray of a process, if it is open. Any thread may call it.
void close_tray(Process &process);

} // namespace thrum
