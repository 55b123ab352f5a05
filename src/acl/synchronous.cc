// The protocol of figure 1, for PEs that share their memory:
//
//   first to come:  leaves its Offer in the pair's request block and suspends
//   second to come: takes the offer out, copies from the send buffer to the receive buffer, and
//                   makes the other run next on this worker
//
// If the receiver is first, its offer is the paper's request block (address and length of the
// receive buffer) and its completion block is `message_bytes`. If the sender is first, the receiver
// copies, where the paper's sender would have waited for the request: a round trip less. A block
// has one sender and one receiver, so that one compare-and-swap decides which is first; no lock.
#include "acl/synchronous.h"

#include "acl/remote_message.h"
#include "fiber/hand_over.h"

#include <cstring>

namespace thrum {
namespace {

constexpr uintptr_t side_bits = 3; // of RequestBlock::offer: a Side

// What the first of the two leaves for the other; on its stack. Nobody reads it after its owner has
// been made runnable.
struct Offer {
    void *buffer;
    size_t size_bytes;        // of the message, or of the receiver's buffer
    size_t message_bytes = 0; // a receiver's: written by the sender
    Task *waiter = nullptr;   // has prepared to suspend; nullptr: waits by `done`
    Completion done;
};

static_assert(alignof(Offer) > side_bits);

// Leaves `mine` in the block. Returns false if the other has been faster: its offer is in `found`.
bool publish(RequestBlock &block, Offer &mine, Side side, uintptr_t &found) {
    found = 0;
    // release [offer-1]: what `mine` says, and the data behind it; acquire on failure: the other's.
    return block.offer.compare_exchange_strong(
        found, reinterpret_cast<uintptr_t>(&mine) | static_cast<uintptr_t>(side),
        std::memory_order_release, std::memory_order_acquire);
}

// Leaves `mine` in the block and waits until it has been taken. Returns false as publish() does.
// The suspension is prepared before the offer is published: the other may resume this task at once.
bool wait_at(const ProcessingElement &self, RequestBlock &block, Offer &mine, Side side, int peer,
             uintptr_t &found) MAY_SUSPEND {
    const bool spin = should_spin(0); // else other ranks wait to run here: suspend at once
    Task &task = current_task();
    if (!spin) {
        prepare_to_suspend(task);
        mine.waiter = &task;
    }
    if (!publish(block, mine, side, found)) {
        if (!spin)
            abandon_suspension(task);
        return false;
    }
    SyncBlockage blockage(self, peer, side, mine.size_bytes);
    Waiting waiting(blockage);
    if (spin)
        mine.done.wait();
    else
        suspend();
    return true;
}

// Takes the other's offer out of the block. A plain store is enough: the next to use the block has
// waited for the end of this message.
Offer &take(RequestBlock &block, uintptr_t found) {
    block.offer.store(0, std::memory_order_relaxed);
    return *reinterpret_cast<Offer *>(found & ~side_bits);
}

// Lets the other continue; its offer is gone afterwards.
void finish(Offer &theirs) {
    if (Task *waiter = theirs.waiter)
        hand_over(*waiter);
    else
        theirs.done.complete();
}

// Copies one or two words without a call. Nothing is copied if the size is 0: memcpy() may not be
// given the null pointers that are allowed here.
inline void copy(void *to, const void *from, size_t size_bytes) {
    constexpr size_t word = sizeof(uint64_t);
    if (size_bytes >= word && size_bytes <= 2 * word) {
        uint64_t first, last;
        std::memcpy(&first, from, word);
        std::memcpy(&last, static_cast<const char *>(from) + size_bytes - word, word);
        std::memcpy(to, &first, word);
        std::memcpy(static_cast<char *>(to) + size_bytes - word, &last, word);
    } else if (size_bytes > 0) {
        std::memcpy(to, from, size_bytes);
    }
}

// The sender's part if the receiver came first. Too much data is the receiver's mistake, which it
// reports.
void deliver(const SyncSend &send, Offer &receiver) {
    if (send.size_bytes <= receiver.size_bytes)
        copy(receiver.buffer, send.buffer, send.size_bytes);
    receiver.message_bytes = send.size_bytes; // too much: the receiver's mistake
    finish(receiver);
}

// The receiver's part if the sender came first.
Error collect(const SyncReceive &receive, Offer &sender, size_t &message_bytes) {
    message_bytes = sender.size_bytes;
    if (message_bytes <= receive.room_bytes)
        copy(receive.buffer, sender.buffer, message_bytes);
    finish(sender);
    return check_room(receive, message_bytes);
}

bool is_of(uintptr_t found, Side side) {
    return (found & side_bits) == static_cast<uintptr_t>(side);
}

Offer offer_of(const SyncSend &send) {
    return {const_cast<void *>(send.buffer), send.size_bytes, 0, nullptr, {}};
}

Offer offer_of(const SyncReceive &receive) {
    return {receive.buffer, receive.room_bytes, 0, nullptr, {}};
}

// Receives from a PE elsewhere. `meanwhile` is sent once the receive has been announced; nullptr:
// nothing.
Error receive_from_process(ProcessingElement &self, const SyncReceive &receive,
                           const SyncSend *meanwhile, size_t &message_bytes) MAY_SUSPEND {
    RemoteReceive mine = receive_of(self, receive);
    if (Error error = begin_receive(self, receive.source, mine))
        return error;
    if (meanwhile)
        if (Error error = synchronous_send(self, *meanwhile))
            return error;
    await_sender(self, receive, mine.done);
    message_bytes = mine.message_bytes;
    return check_room(receive, message_bytes);
}

} // namespace

Error synchronous_send(ProcessingElement &self, const SyncSend &send) {
    if (!self.partition.is_here(send.dest)) [[unlikely]]
        return send_to_process(self, send);
    RequestBlock &block = self.block_to(send.dest);
    uintptr_t found = block.offer.load(std::memory_order_acquire); // [offer-1]
    if (found == 0) {
        Offer mine = offer_of(send);
        if (wait_at(self, block, mine, Side::Sender, send.dest, found))
            return success;
    }
    if (!is_of(found, Side::Receiver)) [[unlikely]]
        return two_threads(Side::Sender, send.dest);
    deliver(send, take(block, found));
    return success;
}

Error synchronous_receive(ProcessingElement &self, const SyncReceive &receive,
                          size_t &message_bytes) {
    if (!self.partition.is_here(receive.source)) [[unlikely]]
        return receive_from_process(self, receive, nullptr, message_bytes);
    RequestBlock &block = self.partition.element(receive.source).block_to(self.address);
    uintptr_t found = block.offer.load(std::memory_order_acquire); // [offer-1]
    if (found == 0) {
        Offer mine = offer_of(receive);
        if (wait_at(self, block, mine, Side::Receiver, receive.source, found)) {
            message_bytes = mine.message_bytes;
            return check_room(receive, message_bytes);
        }
    }
    if (!is_of(found, Side::Sender)) [[unlikely]]
        return two_threads(Side::Receiver, receive.source);
    return collect(receive, take(block, found), message_bytes);
}

// The receive is offered before the send may wait: two PEs that send to each other would deadlock
// otherwise.
Error send_and_receive(ProcessingElement &self, const SyncSend &send, const SyncReceive &receive,
                       size_t &message_bytes) {
    if (send.dest == self.address) {
        message_bytes = send.size_bytes;
        if (Error error = check_room(receive, message_bytes))
            return error;
        copy(receive.buffer, send.buffer, message_bytes);
        return success;
    }
    if (!self.partition.is_here(receive.source)) [[unlikely]]
        return receive_from_process(self, receive, &send, message_bytes);
    RequestBlock &block = self.partition.element(receive.source).block_to(self.address);
    uintptr_t found = block.offer.load(std::memory_order_acquire); // [offer-1]
    Offer mine = offer_of(receive);
    const bool waits = found == 0 && publish(block, mine, Side::Receiver, found);
    if (!waits) {
        if (!is_of(found, Side::Sender)) [[unlikely]]
            return two_threads(Side::Receiver, receive.source);
        if (Error error = collect(receive, take(block, found), message_bytes))
            return error;
    }
    if (Error error = synchronous_send(self, send))
        return error;
    if (!waits)
        return success;
    await_sender(self, receive, mine.done);
    message_bytes = mine.message_bytes;
    return check_room(receive, message_bytes);
}

} // namespace thrum
