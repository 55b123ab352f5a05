// The pool of asynchronous messages of one receiver (async_pool.h has the protocol and the
// invariants). Three parties meet here: senders, which claim and fill buffers without a lock; the
// owner, which takes messages under the lock; and whoever finds the pool used up, who moves it to
// the list under the lock.
//
// Memory is bounded: if the owner holds more than held_bytes_max, local senders wait, and processes
// elsewhere are told to stop. Both go on when half of it has been received.
#include "acl/async_pool.h"

#include "acl/flow_control.h"
#include "base/bytes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace thrum {
namespace {

// Bytes that an owner may hold without having received them. Then senders wait.
constexpr size_t held_bytes_max = 64 << 20;

// A wait of a sender or a receiver, for reports.
struct AsyncBlockage : Blockage {
    int peer_address = 0;     // of a sender: the receiver
    int peer_world_rank = -1; // whom it waits for; -1: unknown
    Selector selector{};      // of a receiver
};

int describe_send(const Blockage &blockage, char *text, size_t size_bytes) {
    const auto &wait = static_cast<const AsyncBlockage &>(blockage);
    std::snprintf(text, size_bytes, " to rank %d, which has %zu MiB of unreceived messages",
                  wait.peer_address, held_bytes_max >> 20);
    return wait.peer_world_rank;
}

int describe_receive(const Blockage &blockage, char *text, size_t size_bytes) {
    const auto &wait = static_cast<const AsyncBlockage &>(blockage);
    char source[32] = "any rank", tag[32] = "any tag";
    if (wait.selector.source >= 0)
        std::snprintf(source, sizeof source, "rank %d", wait.selector.source);
    if (wait.selector.tag >= 0)
        std::snprintf(tag, sizeof tag, "tag %d", wait.selector.tag);
    std::snprintf(text, size_bytes, " from %s, %s", source, tag);
    return wait.peer_world_rank;
}

char *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes);
    CHECK(memory, "out of memory for a message of %zu bytes", size_bytes);
    return static_cast<char *>(memory);
}

// Large data have memory of their own; small ones fit into a buffer of the pool.
bool is_large(size_t size_bytes) {
    return size_bytes > AsyncMessage::inline_bytes;
}

// Returns the number of the next Stop or Go. These are sent without the lock, so a Go may arrive
// before the Stop that it takes back; their numbers, taken under the lock, tell the order.
int new_change() {
    static std::atomic<int> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// Copies the data of a received message. If they do not fit nothing is copied: the caller reports
// that.
void copy_out(const AsyncMessage &message, void *buffer, size_t room_bytes) {
    if (message.size_bytes > 0 && message.size_bytes <= room_bytes)
        copy_bytes(buffer, message.data, message.size_bytes);
}

} // namespace

AsyncPool::~AsyncPool() {
    while (ListedMessage *listed = first_) {
        first_ = listed->next;
        if (is_large(listed->message.size_bytes))
            std::free(listed->message.data);
        std::free(listed);
    }
    delete buffers_.load(std::memory_order_relaxed);
}

// Returns the buffers, made for the first message: a thousand PEs of which few get any would need
// much memory for them. Of two senders that make them at once one discards its own.
AsyncPool::Buffers &AsyncPool::buffers() {
    Buffers *known = buffers_.load(std::memory_order_acquire); // acquire [buffers-1]
    if (known) [[likely]]
        return *known;
    auto *fresh = new Buffers;
    // release [buffers-1]: they are Free; acquire, in case another sender has been faster.
    if (buffers_.compare_exchange_strong(known, fresh, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
        return *fresh;
    delete fresh;
    return *known;
}

// Waiting comes first: a sender must not suspend with a claimed buffer, since nobody could empty
// the pool then.
void AsyncPool::send(int source, int tag, const void *data, size_t size_bytes) {
    char *large = nullptr;
    if (is_large(size_bytes)) {
        wait_for_room(size_bytes);
        large = allocate(size_bytes);
        copy_bytes(large, data, size_bytes);
    }
    AsyncBuffer &buffer = claim();
    buffer.message = {source, tag, size_bytes, large ? large : buffer.small};
    if (!large && size_bytes > 0)
        copy_bytes(buffer.small, data, size_bytes);
    // seq_cst [sent-1]: publishes the message, before a look at `awaited_`: invariant 4.
    buffer.state.store(AsyncBuffer::State::Sent, std::memory_order_seq_cst);
    if (awaited_.load(std::memory_order_seq_cst)) [[unlikely]] // [sent-1]
        wake_receiver(source, tag);
}

// Returns what the owner waits for, if that is the message with this source and tag; the caller
// completes it. The caller holds the lock.
AwaitedMessage *AsyncPool::take_awaited(int source, int tag) {
    // acquire [sent-1]: the owner sets it without the lock, and this may be a newer one than the
    // sender saw.
    AwaitedMessage *awaited = awaited_.load(std::memory_order_acquire);
    if (!awaited || !awaited->selector.accepts(source, tag))
        return nullptr;
    awaited_.store(nullptr, std::memory_order_relaxed);
    return awaited;
}

// The message is given by source and tag: its buffer may be in use again by now.
void AsyncPool::wake_receiver(int source, int tag) {
    receiving_.lock();
    AwaitedMessage *awaited = take_awaited(source, tag);
    receiving_.unlock();
    if (awaited)
        awaited->arrived.complete();
}

// Called by an arrive function, so it may not wait for room. It is exact about the order: messages
// of a process arrive in order, and go to the list in that order.
int AsyncPool::deposit(NodeProcess process, int source, int tag, const void *data,
                       size_t size_bytes) {
    const bool large = is_large(size_bytes);
    char *kept = large ? allocate(size_bytes) : static_cast<char *>(const_cast<void *>(data));
    if (large)
        std::memcpy(kept, data, size_bytes);
    receiving_.lock();
    append({source, tag, size_bytes, kept});
    if (large)
        held_bytes_ += size_bytes;
    const bool stop = held_bytes_ >= held_bytes_max &&
                      std::find(stopped_.begin(), stopped_.end(), process) == stopped_.end();
    int change = 0;
    if (stop) {
        stopped_.push_back(process);
        change = new_change();
    }
    AwaitedMessage *awaited = take_awaited(source, tag);
    receiving_.unlock();
    if (awaited)
        awaited->arrived.complete();
    return change;
}

// Returns a buffer that is the caller's until it sets its state to Sent.
AsyncBuffer &AsyncPool::claim() {
    Buffers &pool = buffers();
    for (;;) {
        // acquire [reset-1]: the buffers are Free, and nobody reads them any more.
        unsigned place = next_.fetch_add(1, std::memory_order_acquire);
        if (place < buffer_count) [[likely]]
            return pool[place];
        wait_for_room(0);
        if (!move_to_list())
            yield(); // another sender is just filling its buffer
    }
}

// Empties the pool into the list. Returns false if a sender is just filling its buffer: then
// nothing has changed, and the caller tries again.
bool AsyncPool::move_to_list() {
    LockGuard guard(receiving_);
    if (next_.load(std::memory_order_relaxed) < buffer_count)
        return true; // somebody else has done it
    Buffers &pool = buffers();
    for (AsyncBuffer &buffer : pool)
        if (buffer.state.load(std::memory_order_acquire) == AsyncBuffer::State::Free) // [sent-1]
            return false;
    for (AsyncBuffer &buffer : pool) {
        if (buffer.state.load(std::memory_order_relaxed) == AsyncBuffer::State::Sent)
            append(buffer.message);
        buffer.state.store(AsyncBuffer::State::Free, std::memory_order_relaxed);
    }
    next_.store(0, std::memory_order_release); // release [reset-1]
    return true;
}

// Appends a message to the list. Small data are copied behind the node; large data change their
// owner. The caller holds the lock.
void AsyncPool::append(const AsyncMessage &message) {
    const bool large = is_large(message.size_bytes);
    const size_t small_bytes = large ? 0 : message.size_bytes;
    auto *listed = reinterpret_cast<ListedMessage *>(allocate(sizeof(ListedMessage) + small_bytes));
    listed->next = nullptr;
    listed->message = message;
    if (!large) {
        listed->message.data = reinterpret_cast<char *>(listed + 1);
        copy_bytes(listed->message.data, message.data, small_bytes);
    }
    held_bytes_ += sizeof(ListedMessage) + small_bytes; // of a large one the data is counted
    *last_ = listed;
    last_ = &listed->next;
}

// Waits while the owner has too much. Then counts `size_bytes` bytes that are about to be sent.
void AsyncPool::wait_for_room(size_t size_bytes) {
    receiving_.lock();
    while (held_bytes_ >= held_bytes_max) {
        AsyncBlockage blockage;
        blockage.kind = Blockage::Kind::Described;
        blockage.describe = describe_send;
        blockage.peer_address = owner_;
        blockage.peer_world_rank = world_rank(owner_);
        Task &task = current_task();
        prepare_to_suspend(task);
        waiting_senders_.push(task);
        receiving_.unlock();
        Waiting waiting(blockage);
        suspend();
        receiving_.lock();
    }
    held_bytes_ += size_bytes;
    receiving_.unlock();
}

// Counts `size_bytes` bytes less. If that frees senders, `freed` gets them; the caller wakes them
// without the lock, which it holds now.
void AsyncPool::let_go(size_t size_bytes, Freed &freed) {
    held_bytes_ -= size_bytes;
    if (held_bytes_ < held_bytes_max / 2) {
        freed.senders = std::exchange(waiting_senders_, {});
        if (stopped_.empty())
            return;
        freed.processes.swap(stopped_);
        freed.change = new_change();
    }
}

// Takes the oldest matching message of the list, or of the pool. The caller holds the lock.
bool AsyncPool::take_from_list(const Selector &selector, void *buffer, size_t room_bytes,
                               AsyncMessage &received, Freed &freed) {
    for (ListedMessage **place = &first_; *place; place = &(*place)->next) {
        ListedMessage *listed = *place;
        if (!selector.accepts(listed->message.source, listed->message.tag))
            continue;
        received = listed->message;
        copy_out(received, buffer, room_bytes);
        *place = listed->next;
        if (last_ == &listed->next)
            last_ = place;
        if (is_large(received.size_bytes))
            std::free(received.data);
        std::free(listed);
        let_go(sizeof(ListedMessage) + received.size_bytes, freed);
        return true;
    }
    return false;
}

// Buffers are searched in the order of claims. Some may still be Free: their senders are filling
// them.
bool AsyncPool::take_from_pool(const Selector &selector, void *buffer, size_t room_bytes,
                               AsyncMessage &received, Freed &freed) {
    const unsigned claimed = next_.load(std::memory_order_relaxed);
    if (claimed == 0)
        return false;
    Buffers &pool = buffers();
    for (unsigned place = 0; place < claimed && place < buffer_count; ++place) {
        AsyncBuffer &slot = pool[place];
        // seq_cst [sent-1]: invariant 4.
        if (slot.state.load(std::memory_order_seq_cst) != AsyncBuffer::State::Sent ||
            !selector.accepts(slot.message.source, slot.message.tag))
            continue;
        received = slot.message;
        copy_out(received, buffer, room_bytes);
        slot.state.store(AsyncBuffer::State::Received, std::memory_order_relaxed);
        if (is_large(received.size_bytes)) {
            std::free(received.data);
            let_go(received.size_bytes, freed);
        }
        if (place + 1 == claimed)
            reset_if_all_received(pool);
        return true;
    }
    return false;
}

// Resets the pool if all its messages have been received. This is the usual case: the receiver
// keeps up. The caller holds the lock, so only senders that claim a buffer meanwhile change a
// state; then the exchange fails, and the states are restored.
void AsyncPool::reset_if_all_received(Buffers &pool) {
    const unsigned claimed = next_.load(std::memory_order_relaxed);
    if (claimed > buffer_count)
        return; // a sender is about to do so
    for (unsigned place = 0; place < claimed; ++place)
        if (pool[place].state.load(std::memory_order_relaxed) != AsyncBuffer::State::Received)
            return;
    auto set_all = [&](AsyncBuffer::State state) {
        for (unsigned place = 0; place < claimed; ++place)
            pool[place].state.store(state, std::memory_order_relaxed);
    };
    set_all(AsyncBuffer::State::Free);
    unsigned expected = claimed;
    // release [reset-1]. Fails if somebody claims one more at this moment: next time, then.
    if (!next_.compare_exchange_strong(expected, 0, std::memory_order_release,
                                       std::memory_order_relaxed))
        set_all(AsyncBuffer::State::Received);
}

bool AsyncPool::receive(const Selector &selector, void *buffer, size_t room_bytes,
                        AsyncMessage &received) {
    Freed freed;
    receiving_.lock();
    bool found = take_from_list(selector, buffer, room_bytes, received, freed) ||
                 take_from_pool(selector, buffer, room_bytes, received, freed);
    receiving_.unlock();
    make_all_runnable(freed.senders);
    if (!freed.processes.empty()) [[unlikely]]
        let_processes_go(world_rank(owner_), freed.change, freed.processes);
    return found;
}

void AsyncPool::wait_receive(const Selector &selector, void *buffer, size_t room_bytes,
                             AsyncMessage &received) {
    while (!receive(selector, buffer, room_bytes, received)) {
        AwaitedMessage awaited{selector, {}};
        // seq_cst [sent-1], invariant 4: first this, then one more look.
        awaited_.store(&awaited, std::memory_order_seq_cst);
        if (receive(selector, buffer, room_bytes, received)) {
            receiving_.lock();
            bool still_awaited = awaited_.load(std::memory_order_relaxed) == &awaited;
            awaited_.store(nullptr, std::memory_order_relaxed);
            receiving_.unlock();
            if (!still_awaited)
                awaited.arrived.wait(); // a sender is about to complete it
            return;
        }
        AsyncBlockage blockage;
        blockage.kind = Blockage::Kind::Described;
        blockage.describe = describe_receive;
        blockage.selector = selector;
        if (selector.source >= 0)
            blockage.peer_world_rank = world_rank(selector.source);
        Waiting waiting(blockage);
        awaited.arrived.wait();
    }
}

size_t AsyncPool::unreceived(AsyncMessage &oldest) {
    LockGuard guard(receiving_);
    size_t count = 0;
    auto note = [&](const AsyncMessage &message) {
        if (count++ == 0)
            oldest = message;
    };
    for (ListedMessage *listed = first_; listed; listed = listed->next)
        note(listed->message);
    if (Buffers *pool = buffers_.load(std::memory_order_acquire)) // [buffers-1]
        for (AsyncBuffer &buffer : *pool)
            if (buffer.state.load(std::memory_order_acquire) ==
                AsyncBuffer::State::Sent) // [sent-1]
                note(buffer.message);
    return count;
}

} // namespace thrum
