// Inbox: what a process has received for one superstep. It is the only place through which data and
// counts move from process to process (the paper, section 5): senders of the same node process fill
// it by delivery.h, packets from other node processes by arrival.h.
//
// A process has `sets` inboxes and uses them in turn, so that messages of the next superstep never
// meet those of this one that are still needed ("disjoint data structures in consecutive
// supersteps"). Each has a receive buffer that senders fill from its beginning. A message that
// finds no room in it, or is larger, is in a backup buffer of its own. The sender allocates that,
// and the receiver copies from it directly to the destination.
//
// Invariants
// 1. Inbox number s % sets serves superstep s from the time when its owner begins s + 2 - sets to
//    the time when it begins s + 2: its contents stay through superstep s + 1. A sender that is
//    farther ahead waits; if it is in another node process, what it has sent waits.
// 2. The thread that adds an operation counts it once, when its data are in place. So `arrived`
//    equals `claimed` unless a thread is copying.
// 3. An inbox is closed when its owner has all that it waits for. An operation that arrives later
//    is a mistake of the program, and its sender reports it.
// 4. A Request belongs to its origin, which waits until the target has served it.
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

inline constexpr unsigned sets = 4; // the last superstep, this one, and the next two
inline constexpr size_t payload_alignment = 16;

// Rounds up to what a message's parts are aligned to.
inline size_t padded(size_t size_bytes) {
    return (size_bytes + payload_alignment - 1) & ~(payload_alignment - 1);
}

enum class MessageKind : uint8_t {
    Put,     // to an area
    Write,   // to an address (cbsp_send)
    Present, // stays where it is: for its handler
    Tagged,  // stays where it is: in the queue of messages with tags
};

// A message in a receive buffer or in a backup buffer. Its tag and its payload follow it, both
// padded.
struct alignas(payload_alignment) Message {
    Message *next = nullptr; // the next in a backup buffer
    size_t payload_bytes = 0;
    int source = 0; // pid
    MessageKind kind = MessageKind::Put;
    bool is_checked = false;   // Write: the sender knows that the address is a variable
    bool is_announced = false; // its data are still at the sender, elsewhere
    uint32_t tag_bytes = 0;
    // Put: number of the area; Write from elsewhere: a variable's shared_address()
    uint64_t area = 0;
    size_t offset = 0;       // Put: in the area
    void *address = nullptr; // where it is written, at the receiver
    cbsp_handler *handler = nullptr;
    Place origin; // for reports

    char *tag() { return reinterpret_cast<char *>(this + 1); }

    char *payload() { return tag() + padded(tag_bytes); }

    size_t size_bytes() const {
        return sizeof(Message) + padded(tag_bytes) + padded(payload_bytes);
    }
};

struct Inbox;

// What a target does for an origin when it synchronises: it reads for a get, or copies for an
// unbuffered put to a process that had not begun the superstep.
struct Request {
    Request *next = nullptr;
    Inbox *origin = nullptr; // the inbox of the origin's superstep, which counts the request
    bool writes = false;     // into the target's area
    uint64_t area = 0;
    size_t offset = 0;
    size_t size_bytes = 0;
    char *local = nullptr;       // at the origin: what is copied from, or to
    char *destination = nullptr; // buffered get: where the origin then moves it from `local`
    Place place;                 // for reports
    // For an origin elsewhere; this object is then the target's, on the heap.
    NodeProcess node_process;    // no_process: the origin is here
    uint64_t origin_request = 0; // address of the origin's own object
    RemoteMemory memory;         // where the data of a put are; also in the origin's own object
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

// Allocated with the machine. Written by senders and the owner.
struct alignas(64) Inbox {
    SpinLock lock; // guards all that follows; held for a few instructions, or a short copy
    bool closed = false;
    std::atomic<uint64_t> superstep{0}; // that it serves; read without the lock as a hint
    // Written with the lock held; read without as a hint by the owner while it spins.
    std::atomic<int64_t> arrived{0};
    std::atomic<int64_t> outstanding{0}; // requests of the owner that are not done
    std::atomic<Request *> requests{nullptr};
    int64_t claimed = 0;        // operations that have room in it, or memory of their own
    int64_t from_elsewhere = 0; // claimed ones from other node processes
    uint64_t bytes = 0;         // bytes that have arrived, for profiles
    int64_t wanted = 0;         // how many arrivals the owner waits for
    Task *waiter = nullptr;     // the owner, if it is suspended
    TaskList early;             // senders that are too far ahead
    Ahead *ahead = nullptr;     // operations from elsewhere for later supersteps, newest first
    char *buffer = nullptr;     // allocated when first needed
    // Bytes of the buffer that are taken.
    size_t filled = 0;
    Message *backup = nullptr; // messages in backup buffers, newest first

    // The owner waits for this.
    bool is_satisfied() const {
        return arrived.load(std::memory_order_relaxed) >= wanted &&
               outstanding.load(std::memory_order_relaxed) == 0;
    }
};

// A piece of memory to copy from.
struct Part {
    const void *data;
    size_t size_bytes;
};

// Counts a request as done. The origin may free it at once.
void finish(Request &request);

// Messages up to this size are copied while the lock is held.
inline constexpr size_t locked_copy_bytes_max = 512;
// Returns room in the receive buffer, or nullptr. The caller holds the lock.
void *take_room(Inbox &inbox, size_t size_bytes, size_t buffer_bytes);
// Returns memory for a message, from malloc, aligned to a cache line.
void *allocate_message(size_t size_bytes);
// Writes header, tag and payload to `place`.
void write_message(void *place, const Message &header, Part tag, Part payload);
// Counts an operation that is in place. The caller holds the lock.
void count_arrival(Inbox &inbox, size_t size_bytes);
// Releases the lock, and wakes the owner if something has happened that it waits for.
void unlock_and_wake(Inbox &inbox);
// Counts requests of the owner that begin (change 1) or are done (-1), and wakes the owner.
void change_outstanding(Inbox &inbox, int change);

// Calls function(message) for each message: those in the receive buffer, then those in backup
// buffers.
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

// Returns the size of a receive buffer in a machine of so many processes.
size_t buffer_bytes(int processes);

} // namespace thrum::bsp
