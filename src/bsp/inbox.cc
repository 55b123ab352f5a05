// The inbox's primitives (inbox.h). Counters are written under its lock and read without it as
// hints.
#include "bsp/inbox.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/settings.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace thrum::bsp {

void finish(Request &request) {
    change_outstanding(*request.origin, -1);
}

void unlock_and_wake(Inbox &inbox) {
    Task *awake = nullptr;
    if (inbox.waiter && (inbox.is_satisfied() || inbox.requests.load(std::memory_order_relaxed))) {
        awake = inbox.waiter;
        inbox.waiter = nullptr;
    }
    inbox.lock.unlock();
    if (awake)
        make_runnable(*awake);
}

void count_arrival(Inbox &inbox, size_t size_bytes) {
    inbox.bytes += size_bytes;
    inbox.arrived.store(inbox.arrived.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
}

void write_message(void *place, const Message &header, Part tag, Part payload) {
    auto *message = new (place) Message(header);
    if (tag.size_bytes)
        copy_bytes(message->tag(), tag.data, tag.size_bytes);
    if (payload.size_bytes)
        copy_bytes(message->payload(), payload.data, payload.size_bytes);
}

void *allocate_message(size_t size_bytes) {
    void *memory = std::aligned_alloc(64, (size_bytes + 63) & ~size_t{63});
    CHECK(memory, "out of memory for a message of %zu bytes", size_bytes);
    return memory;
}

void *take_room(Inbox &inbox, size_t size_bytes, size_t buffer_bytes) {
    if (!inbox.buffer)
        inbox.buffer = static_cast<char *>(allocate_message(buffer_bytes));
    if (size_bytes > buffer_bytes - inbox.filled) [[unlikely]]
        return nullptr;
    void *place = inbox.buffer + inbox.filled;
    inbox.filled += size_bytes;
    return place;
}

size_t buffer_bytes(int processes) {
    // Memory that is never written costs nothing, so only what a program sends counts. The limits
    // keep all buffers together within 64 MiB of addresses for up to 4,096 processes.
    constexpr size_t all_bytes = size_t{64} << 20, bytes_min = 4096, bytes_max = size_t{256} << 10;
    if (settings().bsp_buffer_bytes > 0)
        return padded(settings().bsp_buffer_bytes);
    return std::clamp(padded(all_bytes / sets / static_cast<size_t>(processes)), bytes_min,
                      bytes_max);
}

void change_outstanding(Inbox &inbox, int change) {
    inbox.lock.lock();
    inbox.outstanding.store(inbox.outstanding.load(std::memory_order_relaxed) + change,
                            std::memory_order_relaxed);
    unlock_and_wake(inbox);
}

} // namespace thrum::bsp
