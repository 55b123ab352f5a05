// libfabric: the transport between nodes. It uses two reliable-datagram endpoints, one for
// point-to-point messages and one for collectives (TMPI, section 3.2: channels that do not wait for
// each other). Both are in one domain of the provider that libfabric lists first, or of the
// requested one. The library is opened at run time, so jobs that need no network do not pay for it.
//
// Invariants
// 1. All calls of libfabric are made under lock_ (FI_THREAD_DOMAIN); what arrives is passed on
//    without it.
// 2. Several instances may divide the processes among themselves (THRUM_RECEIVERS), each with its
//    own helper thread. What an instance gets from the provider, on any thread, waits in completed_
//    until take_in() passes it on.
// 3. The helper thread watches the completion queue unless others do: tasks that check it, or the
//    listener, which sleeps on its descriptor. So a message wakes only one thread. Instances after
//    the first leave listening to their helper threads.
// 4. A process for which an operation has failed is lost. A packet, however, is sent again: the
//    provider net of libfabric 1.17 drops a connection and its queued data when both sides connect
//    at once.
// 5. Nothing is sent to a process, or read from it, before it has answered a question, which is
//    repeated until then: rarely the same provider drops what it has reported as sent.
#pragma once
#include "base/sleeping_lock.h"
#include "fabric/packet/transport.h"
#include "fabric/waking/doorbell.h"
#include "fabric/waking/helper_thread.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace thrum {

struct LibfabricFunctions;

// One instance of the transport.
class Libfabric final : public Transport {
public:
    // Process numbers are below `process_max`. An instance with a `reader` leaves reads of memory
    // to that one.
    Libfabric(int process_max, NodeProcess this_process, HelperThread &helper, PacketSink &sink,
              Libfabric *reader = nullptr)
        : process_max_(process_max), this_process_(this_process), helper_(helper), sink_(sink),
          reader_(reader) {}

    // Opens provider `name` or, if that is empty, the first one. Returns false, with cause and
    // remedy in `why`, if it fails.
    bool create(const char *name, std::string &why);
    // Returns what the others need in order to reach this process.
    std::string address();
    // Sets the address that `process` has published.
    bool set_address(NodeProcess process, const std::string &address, std::string &why);

    // Sets the function that finds the addresses of added processes; it returns "" if that fails.
    // It may take long, and is called on a separate thread.
    void set_find_function(std::string (*function)(NodeProcess process)) {
        find_address_ = function;
    }

    // Nothing is sent or taken in after this.
    void close();

    const char *provider() const { return info_->fabric_attr->prov_name; }

    // Returns the provider, and how memory is read.
    std::string description() const;

    // For the helper thread, before it sleeps: returns for how many milliseconds at most, or -1.
    int before_helper_sleeps();
    // Makes the listener sleep on the completion queue's descriptor, which is added to `doorbell`.
    // Returns false if the provider has none. Call it before the helper starts.
    bool let_listener_watch(Doorbell &doorbell);
    // Called when the listener is about to sleep; the helper thread checks until it is back if the
    // listener cannot watch the descriptors. Returns false if something has arrived; otherwise it
    // sleeps for at most `timeout_ns`, which may be reduced.
    bool before_listener_sleeps(int64_t &timeout_ns);
    void listener_is_back();

    size_t piece_bytes_max() const override { return packet_bytes_ - head_bytes_max; }

    SendResult try_send(NodeProcess process, Channel channel, const Packet &packet) override;
    bool take_in(PacketSink &sink) override;
    ReadResult read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                    size_t bytes, ReadDoneFunction done, void *argument) override;

    bool reads() const override { return reads_.load(std::memory_order_relaxed) > 0; }

    // Returns whether the provider has finished all packets.
    bool has_sent_all();

    void expose(RemoteMemory &memory) override;
    void withdraw(const RemoteMemory &memory) override;

private:
    // The packet size. Larger packets would take three phases with some providers; with ofi_rxm
    // this begins above 16 KiB, but over tcp another limit can be set.
    static constexpr size_t packet_bytes_usual = 16 << 10;
    static constexpr size_t head_bytes_max = 256;
    static constexpr size_t packet_bytes_of_tcp = (64 << 10) + head_bytes_max;
    static constexpr int packets_per_end = 64; // to receive into, and as many to send from
    // Over TCP, memory is read in pieces, because what the kernel buffers is then still in a cache
    // when it is copied. If all pieces can be requested at once, larger ones are faster
    // (docs/notes/between_processes.md).
    static constexpr size_t read_piece_bytes_of_tcp = 256 << 10;
    static constexpr size_t read_piece_bytes_of_tcp_at_once = 512 << 10;
    static constexpr int read_pieces_max = 16; // of one reading, at the same time

    // The head of a packet on the wire.
    struct WireHead {
        NodeProcess source;
        uint32_t number; // number of the packet for this source, destination and channel
        PacketHead head;
    };

    // The number of a Contact packet, which is not counted as others are.
    enum class ContactStep : uint32_t { Question, Answer };

    // A read of another process's memory, in pieces, some at a time.
    struct Reading {
        NodeProcess process;
        RemoteMemory from;
        size_t offset; // in both, advancing; and the bytes still to read
        size_t bytes;
        char *into;
        ReadDoneFunction done;
        void *argument;
        size_t piece_bytes;            // the limit for a piece
        fid_mr *into_region = nullptr; // if the provider requires it
        int pieces_under_way = 0;
        bool failed = false;
    };

    struct Operation {
        fi_context2 context; // the provider's; first member, so that a completion leads here
        enum class What : uint8_t { Receive, Send, Read } what;
        Channel channel;
        NodeProcess process; // the peer
        char *buffer = nullptr;
        size_t bytes = 0; // of a packet in transit, like the next
        int failures = 0;
        Reading *reading = nullptr;
    };

    // What is known of the way to a process.
    struct Contact {
        bool made = false;    // it has answered
        int64_t asked_ns = 0; // when it was asked last; 0: not yet
    };

    // An endpoint, one for each channel.
    struct End {
        fid_ep *endpoint = nullptr;
        fid_av *addresses = nullptr;
        fid_mr *region = nullptr;          // of `memory`, if the provider requires it
        std::vector<fi_addr_t> of_process; // FI_ADDR_UNSPEC: not known yet
        std::unique_ptr<char[]> memory;
        std::unique_ptr<Operation[]> operations;
        std::vector<Operation *> idle_sends;
        std::vector<uint32_t> sent_to; // number of packets, by process
        std::vector<Contact> contacts; // by process
        // For take_in(): packets passed on, by process; and those that arrived before their turn.
        std::vector<uint32_t> taken_from;
        std::unordered_map<uint64_t, Operation *> early;
    };

    struct Completed {
        Operation *operation;
        size_t bytes;
        bool failed;
    };

    bool knows_address(End &end, NodeProcess process);
    bool has_contact(End &end, NodeProcess process);
    bool send_contact(End &end, NodeProcess process, ContactStep step);
    void take_contact(End &end, NodeProcess process, ContactStep step);
    SendResult refuse();
    SendResult find_address(NodeProcess process);
    static void *look_for_address(void *search);
    int open_endpoint(End &end);
    bool open_completions(std::string &why);
    bool open_end(End &end, Channel channel, std::string &why);
    bool register_memory(void *memory, size_t bytes, uint64_t access, fid_mr **region);
    int post_receive(End &end, Operation &operation);
    void collect();
    void pass_on(const Completed &one, PacketSink &sink);
    void pass_on_in_order(End &end, Operation &arrived, PacketSink &sink);
    ssize_t post_send(Operation &operation);
    bool send_again(Operation &operation);
    void repeat_send(Operation &operation, PacketSink &sink);
    void give_back(Operation &operation);
    size_t read_piece_bytes(size_t bytes) const;
    bool read_on(Reading &reading);
    void go_on_with(Reading &reading, int pieces_read, bool failed);
    void receive_again(End &end, Operation &operation);
    std::string failed(const char *what, int error) const;
    bool something_waits();
    bool helper_may_look_away();
    static void on_completions(void *self, int);

    // State of the search for a process's address.
    enum class Search : uint8_t { UnderWay, Failed };

    int process_max_;
    NodeProcess this_process_;
    std::string (*find_address_)(NodeProcess process) = nullptr;
    HelperThread &helper_;
    PacketSink &sink_;
    Libfabric *reader_;
    const LibfabricFunctions *library_ = nullptr;
    size_t packet_bytes_ = packet_bytes_usual; // the limit for a packet
    bool reads_in_pieces_ = false;             // because the provider is over TCP
    fi_info *info_ = nullptr;
    fid_fabric *fabric_ = nullptr;
    fid_domain *domain_ = nullptr;
    fid_cq *completions_ = nullptr; // for both ends
    int wait_fd_ = -1;              // readable when there may be some; -1: nothing reports them
    SleepingLock lock_;             // calls of the provider are system calls
    End ends_[channel_count];       // under lock_, like the next ones
    std::unordered_map<NodeProcess, Search> searches_; // by process
    std::unordered_map<uint64_t, fid_mr *> exposed_;   // by key
    uint64_t last_key_ = 0;
    bool closed_ = false;
    std::vector<Operation *> unsent_;      // packets that have failed, or had no room
    std::vector<Reading *> waiting_;       // without a piece in progress, because there was no room
    std::vector<NodeProcess> unreachable_; // found while sending; reported by take_in()
    std::atomic<int> reads_{0};            // started, but not done
    std::atomic<bool> refused_{false};     // a packet was refused: there may be room later
    std::atomic<uint32_t> looks_{0};       // checks by tasks and workers; a hint
    // What the helper thread does: it watches the descriptors; or checks from time to time whether
    // others still do; or rests until the listener is back.
    enum class Helper : uint8_t { Watches, LooksUp, Rests };
    std::atomic<Helper> helper_does_{Helper::Watches};
    std::atomic<bool> somebody_listens_{false};
    bool listener_watches_ = false;
    uint32_t looks_seen_ = 0; // the helper's, like the next
    bool descriptors_watched_ = true;
    std::vector<Completed> completed_;  // under lock_: still to be passed on
    std::vector<Completed> passing_on_; // used by take_in(), like the next
    bool contact_is_made_ = false;      // with some process, while passing on
};

} // namespace thrum
