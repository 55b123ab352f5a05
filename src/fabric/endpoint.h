// Endpoint: one node process's end of the fabric, whatever the transports: messages are cut into
// packets and put together again, packets without room wait in a queue, memory is read in a single
// copy or, where that is impossible, by asking its owner to send it (a pipeline of packets).
// A process has one; a simulation has many in one process.
//
// Invariants
// 1. While the queue of a way is not empty, later messages of that way go to its end.
// 2. No lock is held across a suspension; take_in() of transports runs under progress_lock_.
// 3. A process that is lost stays so; nothing is queued for it, and nothing more is taken from it:
//    whoever has waited for it has been told.
#pragma once
#include "base/sleeping_lock.h"
#include "base/spinlock.h"
#include "fabric/growing_table.h"
#include "fabric/transport.h"
#include "fiber/completion.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace thrum {

class Endpoint final : public PacketSink {
public:
    // Up to `added_max` processes may join later, by numbers behind the first `process_count`.
    Endpoint(int process_count, int this_process, int added_max = 0);
    ~Endpoint();

    // Before anything is sent.
    void set_transport(int process, Transport &transport);
    // One that may be for memory alone.
    void add_transport(Transport &transport);
    // Of all processes that may join.
    void set_transport_of_added(Transport &transport);
    void set_arrive_function(MessageKind kind, ArriveFunction function, void *argument);

    // Before anything is sent, and at the end, when processes may leave.
    void set_lost_function(void (*function)(int process)) {
        lost_function_.store(function, std::memory_order_relaxed);
    }

    int this_process() const { return this_process_; }

    const Transport *transport_of(int process) const {
        return transport_of_[static_cast<size_t>(process)];
    }

    // As fabric_send; without may_wait it queues what there is no room for.
    bool send(int process, Channel channel, MessageKind kind, const void *header,
              size_t header_bytes, const iovec *parts, int count, bool may_wait) MAY_SUSPEND;
    void read(int process, const RemoteMemory &from, size_t offset, void *into, size_t bytes,
              ReadDoneFunction done, void *argument);
    RemoteMemory expose(const void *memory, size_t bytes);
    void withdraw(const RemoteMemory &memory);

    // Takes in what has come, and sends what there was no room for. True if there was something.
    // Returns at once if another thread is at it, unless it must not.
    bool progress(bool wait_for_turn = false);
    // No message is taken in after this.
    void close();

    // Whether everything has been sent.
    bool is_flushed() const { return queued_.load(std::memory_order_acquire) == 0; } // [queued-1]

    bool is_lost(int process) override;
    FabricTraffic traffic();
    // Whether the calling thread is taking in: in an arrive function.
    static bool is_taking_in();

    void arrive(int source, Channel channel, const PacketHead &head, const void *header,
                const void *payload) override;
    void room() override;
    void lost(int process) override;

    bool ask_to_take_in() override { return progress(true); }

private:
    // A message that waits for room, whole or in part. On the stack of a task that waits for it, or
    // else on the heap.
    struct Outgoing {
        Outgoing *next = nullptr;
        MessageKind kind;
        uint8_t header_bytes;
        alignas(8) char header[header_bytes_max];
        Scattered rest; // of the payload
        bool started = false;
        bool failed = false;
        Completion *sent = nullptr; // a task waits for it; else this is on the heap
        iovec part{};               // of the heap's: its payload
        std::unique_ptr<char[]> copy;
    };

    // From here to a process, on a channel.
    struct Way {
        SpinLock lock; // guards the rest, and the transport's side of the way
        bool lost = false;
        bool listed = false; // in ways_with_queue_
        // Messages; written under the lock.
        std::atomic<uint64_t> sent{0};
        Outgoing *first = nullptr;
        Outgoing *last = nullptr;
    };

    // From a process to here: a message of which not all packets have come. Under progress_lock_.
    struct Incoming {
        PacketHead head;
        alignas(8) char header[header_bytes_max];
        std::vector<char> payload;
        std::atomic<uint64_t> taken{0}; // messages; read by others
        bool lost = false;              // the process: what still comes from it is dropped
    };

    struct Reading {
        int process;
        char *into; // the next byte
        ReadDoneFunction done;
        void *argument;
    };

    struct InternalHeader;

    struct Receiver {
        ArriveFunction function = nullptr;
        void *argument = nullptr;
    };

    Way &way(int process, Channel channel) {
        return ways_[static_cast<size_t>(process) * channel_count + static_cast<size_t>(channel)];
    }

    static void note_message(std::atomic<uint64_t> &messages, MessageKind kind) {
        messages.store(messages.load(std::memory_order_relaxed) + (kind != MessageKind::Deadlock),
                       std::memory_order_release); // release [traffic-1]
    }

    Incoming &incoming(int source, Channel channel) {
        return incoming_[static_cast<size_t>(source) * channel_count +
                         static_cast<size_t>(channel)];
    }

    bool send_through_queue(int process, Channel channel, const PacketHead &head,
                            const void *header, const Scattered &payload, bool wait) MAY_SUSPEND;
    bool enqueue(int process, Channel channel, Outgoing &message);
    bool has_news() const;
    void retry(Way &way, TaskList &awake);
    void retry_all();
    SendResult send_some(Way &way, Outgoing &message);
    static void finish(Outgoing &message, bool ok, TaskList &awake);
    void deliver(Incoming &incoming, int source, Channel channel, const PacketHead &head,
                 const void *header, const void *payload, size_t payload_bytes);
    void arrive_internal(int source, const Incoming &incoming, const PacketHead &head,
                         const void *payload);
    void ask_to_send(int process, uint64_t address, void *into, size_t bytes, ReadDoneFunction done,
                     void *argument);
    void end_reading(uint64_t number, bool ok);
    void fail_readings(int process);

    static constexpr size_t kept_bytes_max = 64 << 10; // of memory for messages in several packets
    int process_count_;
    int added_max_;
    int this_process_;
    std::vector<Transport *> transport_of_;
    std::vector<Transport *> transports_; // without repetition
    GrowingTable<Way> ways_;              // by process and channel, as the next
    GrowingTable<Incoming> incoming_;
    Receiver receivers_[message_kind_count];
    std::atomic<void (*)(int process)> lost_function_{nullptr};

    SleepingLock progress_lock_;         // a network's take_in() makes system calls
    bool closed_ = false;                // under progress_lock_, as the next
    bool retry_ = false;                 // there may be room
    std::atomic<int> queued_{0};         // messages in queues
    SpinLock queue_lock_;                // taken inside a way's lock
    std::vector<Way *> ways_with_queue_; // under queue_lock_: those that are `listed`
    SpinLock readings_lock_;
    std::unordered_map<uint64_t, Reading> readings_; // under readings_lock_, as the next
    uint64_t last_reading_ = 0;
};

} // namespace thrum
