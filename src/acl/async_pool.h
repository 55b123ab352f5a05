// The receiving side of asynchronous messages (ACLMPL paper, section 4.2, figure 2).
//
//   sender:   next.fetch_add(1) ---> buffers[i], the sender's own until it sets Sent
//             i beyond the pool ---> move_to_list(), for the receiver, and again
//   receiver: the list, then the pool in the order of claims: the oldest message that matches
//
// In the paper the receiver empties its pool when it communicates the next time, and senders wait
// for that. Here they share its memory and do it themselves: they wait only if the list is long.
//
// Invariants
// 1. Between two resets of `next` each buffer goes Free -> Sent -> Received once, the first step by
//    the sender that has claimed it, the second by the holder of `receiving`.
// 2. `next` is reset only by the holder of `receiving`, and only when no claimed buffer is Free:
//    no sender is at work in the pool then.
// 3. Messages of the list are older than those of the pool: it gets the whole pool at once. Those
//    from other node processes go to the list at once, and never through the pool.
// 4. A receiver that waits has set `awaited` and looked through list and pool once more; a sender
//    looks at `awaited` after it has set Sent. Both seq_cst: one of them sees the other.
#pragma once
#include "base/error.h"
#include "base/spinlock.h"
#include "comm/group.h"
#include "fiber/completion.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thrum {

// A message that has been sent and not received: of the pool, or of the list.
struct AsyncMessage {
    static constexpr size_t inline_bytes = 1024; // data up to this size are in the buffer itself
    int source = 0;                              // address of the sender
    int tag = 0;
    size_t size_bytes = 0;
    char *data = nullptr; // `small` of a buffer, or memory from malloc()
};

// A buffer of the pool. `state` says who may access the rest: invariant 1.
struct AsyncBuffer {
    enum class State : uint8_t { Free, Sent, Received };
    std::atomic<State> state{State::Free};
    AsyncMessage message;
    alignas(16) char small[AsyncMessage::inline_bytes];
};

// A message of the list. Small data follow it in memory.
struct ListedMessage {
    ListedMessage *next;
    AsyncMessage message;
};

// What a receive accepts. ACL_ANY is negative, and stands for any.
struct Selector {
    int source;
    int tag;

    bool accepts(int its_source, int its_tag) const {
        return (source < 0 || source == its_source) && (tag < 0 || tag == its_tag);
    }
};

// What an asynchronous receive waits for; on its stack. The sender that takes it out of `awaited_`
// completes it.
struct AwaitedMessage {
    Selector selector;
    Completion arrived;
};

// The messages that were sent to one PE. Senders are other ranks of this process, and arrive
// functions.
class AsyncPool {
public:
    static constexpr unsigned buffer_count = 64;

    // `group` has the processes of the PEs, by address. `owner` is the address of the pool's PE.
    AsyncPool(const Group &group, int owner) : group_(group), owner_(owner) {}

    ~AsyncPool();
    AsyncPool(const AsyncPool &) = delete;
    AsyncPool &operator=(const AsyncPool &) = delete;

    // Leaves a message for the owner. Waits while the owner has too much that it has not received.
    void send(int source, int tag, const void *data, size_t size_bytes) MAY_SUSPEND;
    // Leaves a message from another process, and never waits. A result other than 0 means: the
    // owner has too much, and the caller must tell `process` to stop, with the result as number
    // (flow_control.h).
    int deposit(NodeProcess process, int source, int tag, const void *data, size_t size_bytes);
    // Takes the oldest message that `selector` accepts. Returns false if there is none. Owner only.
    // Data that do not fit into `room_bytes` are lost: see `received.size_bytes`.
    bool receive(const Selector &selector, void *buffer, size_t room_bytes,
                 AsyncMessage &received) MAY_SUSPEND;
    // Does the same, but waits for a message. Owner only.
    void wait_receive(const Selector &selector, void *buffer, size_t room_bytes,
                      AsyncMessage &received) MAY_SUSPEND;
    // Returns how many messages have not been received, and the oldest. Owner only, when nobody
    // sends any longer.
    size_t unreceived(AsyncMessage &oldest);

private:
    using Buffers = std::array<AsyncBuffer, buffer_count>;
    Buffers &buffers();
    AsyncBuffer &claim() MAY_SUSPEND;
    void wait_for_room(size_t size_bytes) MAY_SUSPEND;
    AwaitedMessage *take_awaited(int source, int tag);
    void wake_receiver(int source, int tag);
    bool move_to_list();
    void append(const AsyncMessage &message);

    int world_rank(int address) const { return group_[address].number; }

    // Senders that a receive allows to continue.
    struct Freed {
        TaskList senders;
        std::vector<NodeProcess> processes;
        int change = 0; // for these
    };

    // The caller of these holds `receiving_`; it wakes `freed` after it has unlocked.
    void let_go(size_t size_bytes, Freed &freed);
    bool take_from_list(const Selector &selector, void *buffer, size_t room_bytes,
                        AsyncMessage &received, Freed &freed);
    bool take_from_pool(const Selector &selector, void *buffer, size_t room_bytes,
                        AsyncMessage &received, Freed &freed);
    void reset_if_all_received(Buffers &pool);

    const Group &group_;
    const int owner_;                            // address
    alignas(128) std::atomic<unsigned> next_{0}; // the fetch-and-increment register
    std::atomic<Buffers *> buffers_{nullptr};    // made for the first message
    // What the owner waits for: set by the owner, taken by a sender.
    std::atomic<AwaitedMessage *> awaited_{nullptr};

    alignas(128) SpinLock receiving_;  // guards what follows and the receiver's side of the pool
    ListedMessage *first_ = nullptr;   // sent but not yet received, oldest first
    ListedMessage **last_ = &first_;   // where the next one is linked
    size_t held_bytes_ = 0;            // of the list, and of large messages in the pool
    TaskList waiting_senders_;         // of this process
    std::vector<NodeProcess> stopped_; // node processes that have been told to stop
};

} // namespace thrum
