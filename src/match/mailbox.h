// Mailbox: where a rank's messages meet its receives. The lock is held only during a match, and
// never while more than a tiny payload is copied (TOMPI's critical section). While its tray is
// open, ranks on other cores leave tiny messages there instead.
#pragma once
#include "base/block_pool.h"
#include "base/settings.h"
#include "base/spinlock.h"
#include "match/posted_queue.h"
#include "match/tray.h"
#include "match/unexpected_queue.h"

#include <atomic>

namespace thrum {

class Recorder; // trace/recorder.h
struct Prober;  // pt2pt/probers.h: a task that waits in MPI_Probe

// The lock of a mailbox. Whoever has locked it finds all messages in the queues.
class MailboxLock {
public:
    void lock() {
        lock_unsettled();
        if (tray_) [[unlikely]]
            tray_->settle();
    }

    // Leaves what is in the tray there, for a receiver that looks itself.
    void lock_unsettled() {
        if (!lock_.lock_at_once()) [[unlikely]]
            count_contention();
    }

    // Does the same; returns false if another thread has the lock.
    bool try_lock_unsettled() { return lock_.try_lock(); }

    void unlock() { lock_.unlock(); }

    // The caller holds the lock: returns the open tray, or nullptr; lets ranks leave messages in
    // `tray`, or in none (nullptr).
    Tray *tray() const { return tray_; }

    void set_tray(Tray *tray) { tray_ = tray; }

    // The caller holds the lock: returns whether threads have waited for it so often that a tray
    // would help; begins to count again.
    bool wants_tray() const { return wants_tray_; }

    void begin_to_count() {
        contentions_ = 0;
        wants_tray_ = false;
    }

private:
    [[gnu::noinline]] void count_contention() {
        if (++contentions_ == settings().tray_after)
            wants_tray_ = true;
    }

    SpinLock lock_;
    bool wants_tray_ = false;
    int contentions_ = 0;
    Tray *tray_ = nullptr;
};

// A rank's mailbox. A sender that finds a posted receive accesses only the first cache line. Any
// rank's thread may use it, under its lock.
struct alignas(64) Mailbox {
    Mailbox() = default;
    Mailbox(const Mailbox &) = delete;
    Mailbox &operator=(const Mailbox &) = delete;

    // Senders may still know the tray, and another mailbox may be made here.
    ~Mailbox() {
        if (tray)
            tray->close();
    }

    MailboxLock lock; // guards everything below
    PostedQueue posted;
    alignas(64) UnexpectedQueue unexpected;
    BlockPool<UnexpectedMessage> messages; // allocates the nodes of `unexpected`
    size_t buffered_bytes = 0; // bytes of buffered messages, whose senders have completed
    // Above this limit senders wait as in rendezvous.
    size_t buffered_bytes_max = settings().buffered_bytes_max;
    Tray *tray = nullptr;                      // open or closed; nullptr: it has never been opened
    Prober *probers = nullptr;                 // tasks to wake when an unexpected message arrives
    std::atomic<Recorder *> recorder{nullptr}; // owned by the rank; senders count in it, too
};

} // namespace thrum
