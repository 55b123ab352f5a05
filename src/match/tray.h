// Tray: a ring in which ranks on other cores leave tiny messages without the lock of the mailbox.
//
// A message takes one cache line, which goes once from the sender's core to the receiver's; the
// senders' and the receiver's own counts stay where they are. Under the lock a message would take
// the lines of the lock, of the queue and of its node to and fro.
//
// Invariants
// 1. Messages are newer than all in the mailbox's unexpected queue, and in the order in which their
//    places were claimed. Who takes the lock of the mailbox takes them in before it matches
//    anything (MailboxLock::lock()), or is the receiver and takes in those that are complete.
// 2. Only who holds the lock opens, closes and takes in. From the closing on nothing is claimed.
// 3. The memory of a tray is never freed: senders may look at it at any time.
#pragma once
#include "match/envelope.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sched.h>

namespace thrum {

struct Mailbox;

// A message in the ring: one cache line.
struct alignas(64) TinyMessage {
    static constexpr size_t payload_bytes = 24;

    std::atomic<uint32_t> number{0}; // of its place, from 1; written last
    Envelope envelope;
    uint16_t size_bytes = 0;
    uint16_t sender_function = 0;           // as in UnexpectedMessage, like the next two
    const MPI_ABI_Datatype *type = nullptr; // predefined
    const void *call_site = nullptr;
    char payload[payload_bytes];
};

static_assert(sizeof(TinyMessage) == 64);

class Tray {
public:
    static constexpr size_t places = 128;
    enum class Left : uint8_t { Yes, Full, Closed };

    explicit Tray(Mailbox &owner) : mailbox_(owner) {}

    Tray(const Tray &) = delete;
    Tray &operator=(const Tray &) = delete;

    // Takes in all that has been left. The caller holds the lock of the mailbox, which is released
    // for a while if receives were posted.
    virtual void settle() = 0;

    Mailbox &mailbox() const { return mailbox_; }

    // ---- For senders

    // Claims a place, and calls fill(message) to write all of it but its number.
    template <class Fill>
    Left leave(Fill fill) {
        uint64_t claimed = claimed_.load(std::memory_order_relaxed);
        do {
            if (claimed & closed_bit)
                return Left::Closed;
            if (!has_room(claimed >> 1)) [[unlikely]]
                return Left::Full;
            // acquire [tray-3]: the opener's view of the places.
        } while (!claimed_.compare_exchange_weak(claimed, claimed + 2, std::memory_order_acquire,
                                                 std::memory_order_relaxed));
        const uint64_t place = claimed >> 1;
        TinyMessage &message = messages_[place % places];
        fill(message);
        // release [tray-1]: what fill() has written.
        message.number.store(number_of(place), std::memory_order_release);
        return Left::Yes;
    }

    // ---- For the receiver, without the lock

    // Returns whether the next message is complete. A hint.
    bool has_next() const { return next_is_complete(next_.load(std::memory_order_relaxed)); }

    // ---- Under the lock of the mailbox

    // Returns the next message if it is complete, or nullptr.
    const TinyMessage *next() const {
        const uint64_t place = next_.load(std::memory_order_relaxed);
        return next_is_complete(place) ? &messages_[place % places] : nullptr;
    }

    // Does the same for a message whose place is claimed: waits for the end of its leave().
    const TinyMessage &await_next() const {
        for (int spins = 0;; ++spins)
            if (const TinyMessage *message = next())
                return *message;
            else if (spins % 128 == 127)
                ::sched_yield(); // the sender may have lost its core
    }

    // Takes the message that next() has returned out of the ring.
    void drop_next() {
        const uint64_t place = next_.load(std::memory_order_relaxed) + 1;
        next_.store(place, std::memory_order_relaxed);
        // release [tray-2]: it has been read. Seldom, as senders ask only when the ring seems
        // full.
        if (place % free_at_once == 0)
            free_.store(place, std::memory_order_release);
    }

    // Returns how many messages have been taken out of the ring, ever.
    uint64_t taken() const { return next_.load(std::memory_order_relaxed); }

    // Returns how many places have been claimed, ever.
    uint64_t claimed() const { return claimed_.load(std::memory_order_relaxed) >> 1; }

    bool is_open() const { return !(claimed_.load(std::memory_order_relaxed) & closed_bit); }

    void open() {
        // release [tray-3]
        claimed_.store(claimed() << 1, std::memory_order_release);
    }

    // Returns how many places have been claimed, ever; there will be no more.
    uint64_t close() { return claimed_.fetch_or(closed_bit, std::memory_order_relaxed) >> 1; }

protected:
    ~Tray() = default;

private:
    static constexpr uint64_t closed_bit = 1;
    static constexpr uint64_t free_at_once = 16;

    static uint32_t number_of(uint64_t place) { return static_cast<uint32_t>(place + 1); }

    bool next_is_complete(uint64_t place) const {
        // acquire [tray-1]
        return messages_[place % places].number.load(std::memory_order_acquire) == number_of(place);
    }

    bool has_room(uint64_t place) {
        // acquire [tray-2], by way of another sender
        if (place - known_free_.load(std::memory_order_acquire) < places)
            return true;
        const uint64_t free = free_.load(std::memory_order_acquire); // [tray-2]
        known_free_.store(free, std::memory_order_release);          // [tray-2]
        return place - free < places;
    }

    Mailbox &mailbox_;
    // The senders' line.
    alignas(64) std::atomic<uint64_t> claimed_{
        closed_bit};                      // twice the number of places; closed_bit
    std::atomic<uint64_t> known_free_{0}; // free_, as senders have seen it
    // The receiver's line.
    alignas(64) std::atomic<uint64_t> next_{0}; // written under the lock
    std::atomic<uint64_t> free_{0};             // places below `free_ + places` may be claimed
    TinyMessage messages_[places];
};

} // namespace thrum
