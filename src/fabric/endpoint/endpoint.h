// Endpoint: one node process's end of the fabric, independent of the transports. It cuts messages
// into packets and reassembles them, and queues packets that have no room. It reads memory in a
// single copy or, where that is impossible, asks its owner to send it (a pipeline of packets). A
// process has one; a simulation has many in one process.
//
// Invariants
// 1. While the queue of a way is not empty, later messages of that way go to its end.
// 2. No lock is held across a suspension; take_in() of transports runs under progress_lock_.
// 3. A lost process stays lost. Nothing is queued for it and nothing more is taken from it;
//    all that waited for it have been notified.
#pragma once
#include "base/sleeping_lock.h"
#include "base/spinlock.h"
#include "fabric/packet/growing_table.h"
#include "fabric/packet/transport.h"
#include "fiber/completion.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace thrum {

class Endpoint final : public PacketSink {
public:
    // Up to `added_max` processes may join later, with numbers after the first `process_count`.
    Endpoint(int process_count, NodeProcess this_process, int added_max = 0);
    ~Endpoint();

    // Sets the transport to `process`. Call it before anything is sent.
    void set_transport(NodeProcess process, Transport &transport);
    // Adds a transport, which may be for memory only.
    void add_transport(Transport &transport);
    // Sets the transport for processes that join later.
    void set_transport_of_added(Transport &transport);
    void set_arrive_function(MessageKind kind, ArriveFunction function, void *argument);

    // Sets the function that is called when a process is lost. Call it before anything is sent, and
    // at the end, when processes may leave.
    void set_lost_function(void (*function)(NodeProcess process)) {
        lost_function_.store(function, std::memory_order_relaxed);
    }

    NodeProcess this_process() const { return this_process_; }

    const Transport *transport_of(NodeProcess process) const {
        return transport_of_[process.index()];
    }

    // Does what fabric_send does; without may_wait, it queues what there is no room for.
    bool send(NodeProcess process, Channel channel, MessageKind kind, const void *header,
              size_t header_bytes, const iovec *parts, int count, bool may_wait) MAY_SUSPEND;
    void read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
              size_t bytes, ReadDoneFunction done, void *argument);
    RemoteMemory expose(const void *memory, size_t bytes);
    void withdraw(const RemoteMemory &memory);

    // Takes in all that has arrived, and sends queued packets. Returns true if there was something.
    // Returns at once if another thread is doing this, unless `wait_for_turn`.
    bool progress(bool wait_for_turn = false);
    // Stops taking in. Later messages stay where they are.
    void close();

    // Returns whether everything has been sent.
    bool is_flushed() const { return queued_.load(std::memory_order_acquire) == 0; } // [queued-1]

    bool is_lost(NodeProcess process) override;
    FabricTraffic traffic();

    // Of the traffic, return the messages on one channel to and from `process`.
    uint64_t sent_to(NodeProcess process, Channel channel) {
        return way(process, channel).sent.load(std::memory_order_acquire); // [traffic-1]
    }

    uint64_t taken_from(NodeProcess process, Channel channel) {
        return incoming(process, channel).taken.load(std::memory_order_acquire); // [traffic-1]
    }

    // Returns whether the calling thread is taking in, that is, inside an arrive function.
    static bool is_taking_in();

    void arrive(NodeProcess source, Channel channel, const PacketHead &head, const void *header,
                const void *payload) override;
    void room() override;
    void lost(NodeProcess process) override;

    bool ask_to_take_in() override { return progress(true); }

private:
    // A message that waits for room, in whole or in part. It is on the stack of a task that waits
    // for it, or else on the heap.
    struct Outgoing {
        Outgoing *next = nullptr;
        MessageKind kind;
        uint8_t header_bytes;
        alignas(8) char header[header_bytes_max];
        Scattered rest; // the unsent part of the payload
        bool started = false;
        bool failed = false;
        Completion *sent = nullptr; // set if a task waits for it; otherwise it is on the heap
        iovec part{};               // payload of a message on the heap
        std::unique_ptr<char[]> copy;
    };

    // The way from here to a process, on one channel.
    struct Way {
        SpinLock lock; // guards the rest, and the transport's state of this way
        bool lost = false;
        bool listed = false; // whether it is in ways_with_queue_
        // Number of messages; written under the lock.
        std::atomic<uint64_t> sent{0};
        Outgoing *first = nullptr;
        Outgoing *last = nullptr;
    };

    // The way from a process to here, with a message that has arrived in part. Guarded by
    // progress_lock_.
    struct Incoming {
        PacketHead head;
        alignas(8) char header[header_bytes_max];
        std::vector<char> payload;
        std::atomic<uint64_t> taken{0}; // number of messages; other threads read it
        bool lost = false;              // the process is lost: drop all that still arrives from it
    };

    // A read whose data the owner sends in messages.
    struct Reading {
        NodeProcess process;
        char *into; // where the next byte goes
        ReadDoneFunction done;
        void *argument;
    };

    struct InternalHeader;

    struct Receiver {
        ArriveFunction function = nullptr;
        void *argument = nullptr;
    };

    Way &way(NodeProcess process, Channel channel) {
        return ways_[process.index() * channel_count + static_cast<size_t>(channel)];
    }

    static void note_message(std::atomic<uint64_t> &messages, MessageKind kind) {
        messages.store(messages.load(std::memory_order_relaxed) + (kind != MessageKind::Deadlock),
                       std::memory_order_release); // release [traffic-1]
    }

    Incoming &incoming(NodeProcess source, Channel channel) {
        return incoming_[source.index() * channel_count + static_cast<size_t>(channel)];
    }

    bool send_through_queue(NodeProcess process, Channel channel, const PacketHead &head,
                            const void *header, const Scattered &payload, bool wait) MAY_SUSPEND;
    bool enqueue(NodeProcess process, Channel channel, Outgoing &message);
    bool has_news() const;
    void retry(Way &way, TaskList &awake);
    void retry_all();
    SendResult send_some(Way &way, Outgoing &message);
    static void finish(Outgoing &message, bool ok, TaskList &awake);
    void deliver(Incoming &incoming, NodeProcess source, Channel channel, const PacketHead &head,
                 const void *header, const void *payload, size_t payload_bytes);
    void arrive_internal(NodeProcess source, const Incoming &incoming, const PacketHead &head,
                         const void *payload);
    void ask_to_send(NodeProcess process, uint64_t address, void *into, size_t bytes,
                     ReadDoneFunction done, void *argument);
    void end_reading(uint64_t number, bool ok);
    void fail_readings(NodeProcess process);

    // Kept memory for messages in several packets.
    static constexpr size_t kept_bytes_max = 64 << 10;
    int process_count_;
    int added_max_;
    NodeProcess this_process_;
    std::vector<Transport *> transport_of_;
    std::vector<Transport *> transports_; // each only once
    GrowingTable<Way> ways_;              // by process and channel, like the next
    GrowingTable<Incoming> incoming_;
    Receiver receivers_[message_kind_count];
    std::atomic<void (*)(NodeProcess process)> lost_function_{nullptr};

    SleepingLock progress_lock_;         // a network's take_in() makes system calls
    bool closed_ = false;                // under progress_lock_, like the next
    bool retry_ = false;                 // there may be room now
    std::atomic<int> queued_{0};         // messages in queues
    SpinLock queue_lock_;                // taken inside a way's lock
    std::vector<Way *> ways_with_queue_; // under queue_lock_: the ways with `listed` set
    SpinLock readings_lock_;
    std::unordered_map<uint64_t, Reading> readings_; // under readings_lock_, like the next
    uint64_t last_reading_ = 0;
};

} // namespace thrum
