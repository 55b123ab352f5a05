// libfabric: the transport between nodes. Reliable-datagram endpoints, one for point-to-point
// messages and one for collectives (TMPI, section 3.2: channels that do not wait for each other),
// in one domain of the provider that libfabric itself puts first, or of the one that is asked for.
// The library is opened at run time: jobs that need no network do not pay for it.
//
// Invariants
// 1. All calls of libfabric are made under lock_ (FI_THREAD_DOMAIN); what arrives is passed on
//    outside of it.
// 2. Several instances may share the processes among them (THRUM_RECEIVERS), each with a helper
//    thread of its own. What it gets from the provider, on whatever thread, waits in completed_;
//    take_in() passes it on.
// 3. The helper thread watches the completion queue unless others do: tasks that look at it, or
//    the listener, which sleeps on its descriptor. So a message wakes one thread. Further
//    instances than the first leave listening to their helper threads.
// 4. A process that an operation has failed for is lost. But a packet is sent again: where two
//    processes have connected with each other at the same time, a provider (net of libfabric 1.17)
//    gives one connection up, with what was to go through it.
#pragma once
#include "base/sleeping_lock.h"
#include "fabric/doorbell.h"
#include "fabric/helper_thread.h"
#include "fabric/transport.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace thrum {

struct LibfabricFunctions;

class Libfabric final : public Transport {
public:
    // Numbers of processes are less than `process_max`. One that has a `reader` leaves reads of
    // memory to that.
    Libfabric(int process_max, int this_process, HelperThread &helper, PacketSink &sink,
              Libfabric *reader = nullptr)
        : process_max_(process_max), this_process_(this_process), helper_(helper), sink_(sink),
          reader_(reader) {}

    // Opens provider `name`, or, if that is empty, the first one. False: `why` says what is wrong
    // and what helps.
    bool create(const char *name, std::string &why);
    // What the others need in order to reach this process.
    std::string address();
    // `process` has told its address.
    bool set_address(int process, const std::string &address, std::string &why);

    // How the addresses of others are found, of processes that were added to the job: "" if that
    // fails. It takes its time, and is called on a thread of its own.
    void set_find_function(std::string (*function)(int process)) { find_address_ = function; }

    // Nothing is sent or taken in any more.
    void close();

    const char *provider() const { return info_->fabric_attr->prov_name; }

    // The provider, and how memory is read.
    std::string description() const;

    // For the helper thread, before it sleeps: for how many milliseconds at most, or -1.
    int before_helper_sleeps();
    // The listener sleeps on the completion queue's descriptor from now on, which `doorbell` is
    // given; false: the provider has none. Before the helper starts.
    bool let_listener_watch(Doorbell &doorbell);
    // The listener is about to sleep. Those whose descriptors it does not watch: the helper thread
    // looks until it is back. False: something has come; else it sleeps for `timeout_ns` at most,
    // which may become less.
    bool before_listener_sleeps(int64_t &timeout_ns);
    void listener_is_back();

    size_t piece_bytes_max() const override { return packet_bytes_ - head_bytes_max; }

    SendResult try_send(int process, Channel channel, const Packet &packet) override;
    bool take_in(PacketSink &sink) override;
    ReadResult read(int process, const RemoteMemory &from, size_t offset, void *into, size_t bytes,
                    ReadDoneFunction done, void *argument) override;

    bool reads() const override { return reads_.load(std::memory_order_relaxed) > 0; }

    bool has_sent_all(); // whether the provider has done with all packets

    void expose(RemoteMemory &memory) override;
    void withdraw(const RemoteMemory &memory) override;

private:
    // Larger packets would take three phases with some providers: with ofi_rxm those of more than
    // 16 KiB, but over tcp it can be told another limit.
    static constexpr size_t packet_bytes_usual = 16 << 10;
    static constexpr size_t head_bytes_max = 256;
    static constexpr size_t packet_bytes_of_tcp = (64 << 10) + head_bytes_max;
    static constexpr int packets_per_end = 64; // to receive into, and as many to send from
    // Over TCP 1 MiB takes half the time in pieces: what the kernel keeps on the way is still in a
    // cache when it is taken.
    static constexpr size_t read_piece_bytes_of_tcp = 128 << 10;
    static constexpr int read_pieces_max = 16; // of a reading, at a time

    // How a packet begins on the wire.
    struct WireHead {
        int32_t source;
        uint32_t number; // of the packets of this source, destination and channel
        PacketHead head;
    };

    // Memory of another process that is being read, in pieces, some at a time.
    struct Reading {
        int process;
        RemoteMemory from;
        size_t offset; // in both, as it goes on; of `bytes` that are to be read still
        size_t bytes;
        char *into;
        ReadDoneFunction done;
        void *argument;
        fid_mr *into_region = nullptr; // if the provider wants that
        int pieces_under_way = 0;
        bool failed = false;
    };

    struct Operation {
        fi_context2 context; // the provider's; first, so that a completion leads here
        enum class What : uint8_t { Receive, Send, Read } what;
        Channel channel;
        int process = -1; // to or from which
        char *buffer = nullptr;
        size_t bytes = 0; // of a packet on its way, as the next
        int failures = 0;
        Reading *reading = nullptr;
    };

    // One per channel.
    struct End {
        fid_ep *endpoint = nullptr;
        fid_av *addresses = nullptr;
        fid_mr *region = nullptr;          // of `memory`, if the provider wants that
        std::vector<fi_addr_t> of_process; // FI_ADDR_UNSPEC: not known yet
        std::unique_ptr<char[]> memory;
        std::unique_ptr<Operation[]> operations;
        std::vector<Operation *> idle_sends;
        std::vector<uint32_t> sent_to; // packets, by process
        // Of take_in(): packets passed on, by process; those that have come before their turn.
        std::vector<uint32_t> taken_from;
        std::unordered_map<uint64_t, Operation *> early;
    };

    struct Completed {
        Operation *operation;
        size_t bytes;
        bool failed;
    };

    bool knows_address(End &end, int process);
    SendResult find_address(int process);
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
    bool read_on(Reading &reading);
    void go_on_with(Reading &reading, int pieces_read, bool failed);
    void receive_again(End &end, Operation &operation);
    std::string failed(const char *what, int error) const;
    bool something_waits();
    bool helper_may_look_away();
    static void on_completions(void *self, int);

    // Of a process whose address is being looked for, or cannot be found.
    enum class Search : uint8_t { UnderWay, Failed };

    int process_max_;
    int this_process_;
    std::string (*find_address_)(int process) = nullptr;
    HelperThread &helper_;
    PacketSink &sink_;
    Libfabric *reader_;
    const LibfabricFunctions *library_ = nullptr;
    size_t packet_bytes_ = packet_bytes_usual; // what a packet may have
    size_t read_piece_bytes_ = SIZE_MAX;       // of what is read of memory at once
    fi_info *info_ = nullptr;
    fid_fabric *fabric_ = nullptr;
    fid_domain *domain_ = nullptr;
    fid_cq *completions_ = nullptr;            // of both ends
    int wait_fd_ = -1;                         // readable when there may be some; -1: nothing tells
    SleepingLock lock_;                        // calls of the provider are system calls
    End ends_[channel_count];                  // under lock_, as the next ones
    std::unordered_map<int, Search> searches_; // by process
    std::unordered_map<uint64_t, fid_mr *> exposed_; // by key
    uint64_t last_key_ = 0;
    bool closed_ = false;
    std::vector<Operation *> unsent_;  // packets that have failed, and for which there was no room
    std::vector<Reading *> waiting_;   // that have no piece under way: there was no room
    std::vector<int> unreachable_;     // found while sending; told by take_in()
    std::atomic<int> reads_{0};        // started, and not done
    std::atomic<bool> refused_{false}; // a packet: there may be room later
    std::atomic<uint32_t> looks_{0};   // by tasks and workers; a hint
    // The helper thread watches the descriptors; or looks from time to time whether others still
    // do; or rests until the listener is back.
    enum class Helper : uint8_t { Watches, LooksUp, Rests };
    std::atomic<Helper> helper_does_{Helper::Watches};
    std::atomic<bool> somebody_listens_{false};
    bool listener_watches_ = false;
    uint32_t looks_seen_ = 0; // the helper's, as the next
    bool descriptors_watched_ = true;
    std::vector<Completed> completed_;  // under lock_: to be passed on
    std::vector<Completed> passing_on_; // of take_in()
};

} // namespace thrum
