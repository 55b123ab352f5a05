// Inbox: what a process has received for one superstep. This is the one place through which data
// and counts move from process to process (the paper, section 5): delivery.h. Between node
// processes packets arrive that fill the inbox (arrival.h).
//
// A process has `sets` inboxes and uses them in turn, so that messages of the next superstep never
// meet those that are still needed of this one ("disjoint data structures in consecutive
// supersteps"). Each has a receive buffer that senders fill from its beginning; a message that
// finds no room in it, or is larger than it, lies in a backup buffer of its own, which the sender
// makes and from which the receiver copies straight to the destination.
//
// Invariants
// 1. Inbox number s % sets serves superstep s from the time when its owner begins s + 2 - sets to
//    that when it begins s + 2: what is in it stays through superstep s + 1. A sender that is
//    farther ahead waits; elsewhere, what it has sent waits.
// 2. The thread that adds an operation counts it once, when its data are in place. So `arrived`
// equals
//    `claimed` unless somebody is copying.
// 3. An inbox is closed when its owner has got what it waits for: whatever comes later is a mistake
//    of the program, and is reported by its sender.
// 4. A Request belongs to its origin, which waits until the target has done it.
#pragma once
#include "base/spinlock.h"
#include "bsp/place.h"
#include "fabric/fabric.h"
#include "fiber/task.h"
#include "thrum/bsp.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum::bsp {

inline constexpr unsigned sets = 4;
inline constexpr size_t payload_alignment = 16;

inline size_t padded(size_t size_bytes) {
    return (size_bytes + payload_alignment - 1) & ~(payload_alignment - 1);
}

enum class MessageKind : uint8_t {
    Put,     // to an area
    Write,   // to an address (cbsp_send)
    Present, // stays where it is: for its handler, or in the queue of messages with tags
    Tagged,
};

// A message in a receive buffer or in a backup buffer; tag and payload follow it, both padded.
struct alignas(payload_alignment) Message {
    Message *next = nullptr; // of those in backup buffers
    size_t payload_bytes = 0;
    int source = 0; // pid
    MessageKind kind = MessageKind::Put;
    bool is_checked = false;   // Write: the sender knows that the address is a variable
    bool is_announced = false; // its data are still at the sender, elsewhere
    uint32_t tag_bytes = 0;
    uint64_t area = 0;       // Put: its number; Write to elsewhere: a variable's shared_address()
    size_t offset = 0;       // Put
    void *address = nullptr; // Write: at the receiver
    cbsp_handler *handler = nullptr;
    Place origin; // for reports

    char *tag() { return reinterpret_cast<char *>(this + 1); }

    char *payload() { return tag() + padded(tag_bytes); }

    size_t size_bytes() const {
        return sizeof(Message) + padded(tag_bytes) + padded(payload_bytes);
    }
};

struct Inbox;

// What a target does for an origin, once it synchronises: reads for a get, or copies for an
// unbuffered put to a process that has not begun the superstep yet.
struct Request {
    Request *next = nullptr;
    Inbox *origin = nullptr; // of the origin's superstep; it counts the request
    bool writes = false;     // into the target's area
    uint64_t area = 0;
    size_t offset = 0;
    size_t size_bytes = 0;
    char *local = nullptr;       // at the origin: what is copied from, or to
    char *destination = nullptr; // of a buffered get: where the origin then moves it from `local`
    Place place;                 // for reports
    // Of an origin elsewhere; this object is then the target's, on the heap.
    NodeProcess node_process;    // -1: here
    uint64_t origin_request = 0; // address of the origin's
    RemoteMemory memory;         // what it writes; of the origin's own object, too
};

// A message or a request from elsewhere that arrived before the inbox serves its superstep.
struct Ahead {
    Ahead *next = nullptr;
    uint64_t superstep = 0;
    Message *message = nullptr;
    Request *request = nullptr;
    int source = 0; // pid
    size_t size_bytes = 0;
};

struct alignas(64) Inbox {
    SpinLock lock; // guards all that follows; held for a few instructions, or a short copy
    bool closed = false;
    std::atomic<uint64_t> superstep{0}; // that it serves; read without the lock as a hint
    // Written with the lock held; read without as a hint by the owner while it spins.
    std::atomic<int64_t> arrived{0};
    std::atomic<int64_t> outstanding{0}; // requests of the owner that are not done
    std::atomic<Request *> requests{nullptr};
    int64_t claimed = 0;
    int64_t from_elsewhere = 0; // of those
    uint64_t bytes = 0;         // that have come, for profiles
    int64_t wanted = 0;         // the owner waits for so many arrivals
    Task *waiter = nullptr;     // the owner, if it is suspended
    TaskList early;             // senders that are too far ahead
    Ahead *ahead = nullptr;     // for later supersteps, from elsewhere, the newest first
    char *buffer = nullptr;     // made when first needed
    size_t filled = 0;
    Message *backup = nullptr; // the newest

    bool is_satisfied() const {
        return arrived.load(std::memory_order_relaxed) >= wanted &&
               outstanding.load(std::memory_order_relaxed) == 0;
    }
};

struct Part {
    const void *data;
    size_t size_bytes;
};

// The target has done it. The request may be gone after this.
void finish(Request &request);

// What can be written without giving the lock back.
inline constexpr size_t locked_copy_bytes_max = 512;
// With the lock held: room in the receive buffer, or nullptr.
void *take_room(Inbox &inbox, size_t size_bytes, size_t buffer_bytes);
// Memory for a message, from malloc.
void *allocate_message(size_t size_bytes);
void write_message(void *place, const Message &header, Part tag, Part payload);
void count_arrival(Inbox &inbox, size_t size_bytes);
// Gives the lock back: something has come that the owner may wait for.
void unlock_and_wake(Inbox &inbox);
// Counts requests of the owner that begin (change 1) or are done (-1), and wakes it.
void change_outstanding(Inbox &inbox, int change);

// Calls function(message) for each message.
template <class F>
void for_each_message(const Inbox &inbox, F function) {
    for (size_t at = 0; at < inbox.filled;) {
        auto *message = reinterpret_cast<Message *>(inbox.buffer + at);
        at += message->size_bytes();
        function(*message);
    }
    for (Message *message = inbox.backup; message; message = message->next)
        function(*message);
}

// How large receive buffers are in a machine of so many processes.
size_t buffer_bytes(int processes);

} // namespace thrum::bsp
