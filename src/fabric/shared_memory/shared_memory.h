// Shared memory: the transport between processes of a node, after the SX-4 paper.
//
// The first packets to a process go into its inbox; a pair that keeps communicating gets its own
// ring. A process maps the segments of its partners at the first contact; a pidfd reports when one
// of them ends.
//
// Invariants
// 1. A sender's packets of a channel go to the inbox, then, from the record that opens its ring on,
//    to the ring: so they stay in order.
// 2. After publishing something for a process, packets or room, a process checks the other one's
//    attention.
// 3. Processes that join the job later find the others, and are found, through the directory in the
//    segment of the node's first process.
// 4. Before its listener sleeps for long, a process urges those that have not taken its packets and
//    are neither asleep nor about to look. Their tasks compute, so their helper thread takes the
//    packets in.
#pragma once
#include "fabric/channel/segment.h"
#include "fabric/packet/growing_table.h"
#include "fabric/packet/transport.h"
#include "fabric/shared_memory/gates.h"
#include "fabric/shared_memory/huge_pages.h"
#include "fabric/shared_memory/shared_heap.h"
#include "fabric/waking/doorbell.h"
#include "fabric/waking/helper_thread.h"

#include <memory>
#include <span>
#include <sys/types.h>
#include <vector>

namespace thrum {

class Completion;

// The transport of one process.
class SharedMemory final : public Transport {
public:
    struct Options {
        RingGeometry geometry;
        uint32_t rings_max = 64;
        uint32_t packets_before_ring = 8;
        bool single_copy = true;
    };

    // Up to `added_max` processes may join later, with numbers after the first `process_count`.
    SharedMemory(int process_count, NodeProcess this_process, HelperThread &helper,
                 PacketSink &sink, int added_max = 0);
    ~SharedMemory();

    // Makes the segment. Returns false, with cause and remedy in `why`, if it fails.
    bool create(const Options &options, std::string &why);
    // Returns what the others need in order to open it.
    std::string address() const;
    // Sets the address of `process`, which is on this node.
    void set_address(NodeProcess process, const std::string &address);
    // Makes the listener sleep at this doorbell. Call it before others know the address.
    void sleep_at(Doorbell &doorbell);
    // Joins the others, once all processes of the node have made their segments.
    void join(NodeProcess first_process_of_node);
    // Does the same for a process that joins later, with the path of the directory.
    void join_later(const std::string &directory);
    // Returns where the directory is, while this process lives.
    std::string directory_address() const;
    // Reserves `count` numbers for added processes and returns the first. -1: there are no more.
    int take_numbers(int count);
    // Returns whether processes have been added to the job.
    bool has_grown() const;
    // Ends its part: this process no longer counts as awake.
    void leave();

    size_t piece_bytes_max() const override;
    SendResult try_send(NodeProcess process, Channel channel, const Packet &packet) override;

    bool has_news() override {
        return something_has_come(std::memory_order_relaxed) ||
               some_have_ended_.load(std::memory_order_relaxed);
    }

    bool take_in(PacketSink &sink) override;
    ReadResult read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                    size_t bytes, ReadDoneFunction done, void *argument) override;

    void expose(RemoteMemory &memory) override;

    bool reads() const override {
        LockGuard guard(awaited_lock_);
        return !awaited_.empty();
    }

    // Allocates memory that others can map to read it; see SharedHeap. nullptr: there is none.
    void *allocate(size_t bytes, size_t alignment);

    HeapRelease release(void *memory) { return heap_.release(memory); }

    Gates &gates() { return gates_; }

    // Implement the functions of the same names in fabric.h.
    int take_gate();
    void return_gate(int number);
    Gate *gate(NodeProcess owner, int number);
    bool look_at_gate(const GateWait &wait);
    void open_door(Door &door, std::span<const NodeProcess> others);
    void give_up_gate(Gate &gate, std::span<const NodeProcess> others);

    // Sleeps until a packet has arrived, or wake() was called after the last forget_wake(). Called
    // by the listener only.
    void sleep(int64_t timeout_ns);

    void forget_wake() { woken_.store(false, std::memory_order_relaxed); }

    // Wakes the listener of this process.
    void wake();
    // Yields the core to processes that may answer at once, until something has arrived or `until`
    // is done. Returns false if neither happens for long, or if yielding is not worthwhile.
    bool give_way(const Completion &until);
    // Returns whether there are at least as many cores as processes that are awake.
    bool worth_spinning();

    bool single_copy_works() const { return single_copy_.load(std::memory_order_relaxed); }

private:
    // What is known about a process of this node. Mapped at the first contact; never freed while
    // the process runs.
    struct Peer {      // a way's fields are under its lock (Endpoint), unless atomic
        pid_t pid = 0; // 0: on another node
        int fd = -1;   // descriptor of its segment, in that process
        std::atomic<Segment *> segment{nullptr}; // set after the first contact
        int pid_fd = -1;
        std::atomic<int> urge_fd{-1};
        int doorbell_fd = -1; // written before `segment`
        std::atomic<bool> gone{false};
        std::atomic<char *> heap{nullptr}; // mapped, like the segment
        bool has_no_heap = false;          // under contact_lock_

        struct Way {
            std::unique_ptr<RingWriter> ring;
            std::atomic<RingWriter *> open_ring{nullptr}; // the same, for other threads
            std::unique_ptr<RingWriter> new_ring;         // not announced to the reader yet
            uint32_t packets = 0;                         // sent through the inbox
            uint64_t inbox_taken = 0;                     // its `taken` at the last attempt
            uint32_t ring_number = 0;
            bool no_ring = false;
            std::atomic<uint64_t> inbox_end{0}; // position after its last record there
        } ways[channel_count];
    };

    // A ring that another process has opened to this one.
    struct OpenRing {
        RingReader reader;
        NodeProcess source;
        Channel channel;
    };

    // A joint copy whose last pieces the owner is making.
    struct AwaitedCopy {
        NodeProcess process;
        JointCopy *copy;
        ReadResult result;
        ReadDoneFunction done;
        void *argument;
    };

    Peer &peer(NodeProcess process) { return peers_[process.index()]; }

    void begin_with(Segment &directory);
    bool look_up(NodeProcess process, Peer &peer);
    Segment *contact(NodeProcess process);
    char *mapped_heap(Peer &peer, const SegmentHeader &header, uint64_t address, size_t bytes);
    void watch_over(NodeProcess process);
    bool try_put(Peer &peer, Segment &segment, int channel, const Packet &packet);
    bool ask_for_room(Peer &peer, Segment &segment, int channel);
    void lock_inbox(Segment &segment);
    bool put_into_inbox(Segment &segment, Peer::Way &way, InboxRecord record, const Packet &packet);
    bool open_ring(Segment &segment, Peer::Way &way, Channel channel);
    void add_ring(NodeProcess source, Channel channel, uint32_t number);
    bool take_from_inbox(PacketSink &sink);
    bool take_from_rings(PacketSink &sink);
    // Handles the bits of `told` that other processes have set.
    void heed(uint32_t told, PacketSink &sink);
    // Sets such a bit at another process, and wakes it.
    void tell(NodeProcess process, Told what);
    // Returns whether there is a core for the process that would help.
    bool has_core_for(const SegmentHeader &other);
    ReadResult copy_from(NodeProcess process, uint64_t from, void *into, size_t bytes);
    bool copy_to(NodeProcess process, const void *from, uint64_t into, size_t bytes);
    ReadResult read_jointly(NodeProcess process, JointCopy &copy, ReadDoneFunction done,
                            void *argument);
    ReadResult end_joint_copy(NodeProcess process, JointCopy &copy, ReadResult result);
    void help_readers();
    void end_awaited(bool (*ended)(SharedMemory &memory, const AwaitedCopy &copy));
    // Wakes `process`, or notes that it has not taken everything yet.
    void call(NodeProcess process, Segment &segment);
    bool ring_bell(Segment &segment, int doorbell_fd);
    bool something_has_come(std::memory_order order);
    void note_unsettled(NodeProcess process);
    bool is_settled(Peer &peer, Segment &segment) const;
    bool some_are_unsettled();
    void urge_unsettled();
    void urge(Peer &peer, Segment &segment);
    bool has_turns();
    template <class IsOver>
    bool yield_until(int turns_least, IsOver is_over);
    void wake_at_door(Door &door, std::span<const NodeProcess> others);
    static void on_urge(void *self, int);
    static void on_end(void *self, int number);
    void note_end(NodeProcess process);
    void tell_of_ends(PacketSink &sink);

    static constexpr uint32_t packets_per_look = 64; // from one ring, so that others get their turn

    int process_count_;
    int added_max_;
    NodeProcess this_process_;
    HelperThread &helper_;
    PacketSink &sink_;
    Options options_;
    Segment own_;
    HugePages huge_pages_;
    bool has_company_ = false; // initial processes on the same node
    SharedHeap heap_;          // created under contact_lock_
    std::atomic<bool> heap_is_tried_{false};
    Segment *directory_ = nullptr;        // the segment that contains it
    std::unique_ptr<Segment> others_own_; // the same, in a process that joined later
    int urge_pipe_[2] = {-1, -1};
    Doorbell *doorbell_ = nullptr; // of a process with a network
    GrowingTable<Peer> peers_;
    NodeLoad *load_ = nullptr;
    std::atomic<int> cores_{0}; // that the node's processes may use, as of this many joined:
    std::atomic<uint32_t> joined_{0};
    SpinLock contact_lock_;
    SpinLock inbox_lock_; // needed for the lock of another process's inbox
    std::atomic<bool> single_copy_{true};
    std::atomic<bool> single_copy_has_worked_{false};
    Gates gates_;
    // How often this process has yielded, and how often it should not yield: hints.
    std::atomic<uint32_t> turns_{0};
    std::atomic<int> turns_to_rest_{0};
    std::atomic<int> next_rest_{4};
    std::atomic<bool> has_given_way_{false}; // in vain, so that the next sleep need not
    mutable SpinLock awaited_lock_;          // guards the next
    std::vector<AwaitedCopy> awaited_;
    std::atomic<bool> woken_{false};           // wake() has been called
    std::atomic<bool> some_have_ended_{false}; // and the sink has not been notified
    // Written by the thread that takes in; other threads read it to look for records.
    std::atomic<uint64_t> inbox_at_{0};
    std::unique_ptr<std::unique_ptr<OpenRing>[]> rings_; // rings to this process
    std::atomic<uint32_t> ring_count_{0};                // number of rings; published by add_ring
    // A bit for each process that may not have taken everything that was sent to it. Set by
    // senders, cleared by the listener: hints.
    std::unique_ptr<std::atomic<uint64_t>[]> unsettled_;
};

} // namespace thrum
