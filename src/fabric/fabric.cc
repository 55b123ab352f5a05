#include "fabric/fabric.h"

#include "base/check.h"
#include "base/settings.h"
#include "fabric/endpoint.h"
#include "fabric/libfabric.h"
#include "fabric/shared_memory.h"
#include "fiber/outside.h"

#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sched.h>

namespace thrum {
namespace {

// What this process has of the fabric. Not destroyed at the end: a thread may still be on its way
// out of a look.
struct Fabric {
    FabricJob job;
    HelperThread helper;
    Endpoint endpoint;
    SharedMemory shared_memory;
    Libfabric network;
    bool has_network = false;
    std::atomic<bool> listened_to{false};
    std::string description;

    explicit Fabric(const FabricJob &the_job)
        : job(the_job), endpoint(job.process_count, job.this_process),
          shared_memory(job.process_count, job.this_process, helper, endpoint),
          network(job.process_count, job.this_process, helper, endpoint) {}
};

struct Receiver {
    ArriveFunction function = nullptr;
    void *argument = nullptr;
};

Fabric *fabric = nullptr;
Receiver early_receivers[message_kind_count]; // set before fabric_begin()

class FabricOutside final : public Outside {
public:
    bool look() override { return fabric->endpoint.progress(); }

    bool worth_spinning() override { return fabric->shared_memory.worth_spinning(); }

    bool begin_listening() override {
        bool expected = false;
        // acq_rel: one listener's doings come before the next one's
        if (!fabric->listened_to.compare_exchange_strong(expected, true, std::memory_order_acq_rel,
                                                         std::memory_order_relaxed))
            return false;
        fabric->shared_memory.forget_wake();
        return true;
    }

    void listen(int64_t timeout_ns) override {
        if (fabric->has_network)
            fabric->network.hand_over_to_helper();
        fabric->shared_memory.sleep(timeout_ns);
    }

    void end_listening() override { fabric->listened_to.store(false, std::memory_order_seq_cst); }

    bool somebody_listens() override { return fabric->listened_to.load(std::memory_order_seq_cst); }

    void wake_listener() override { fabric->shared_memory.wake(); }
};

FabricOutside the_outside;

// A child of fork() is no member of the job.
void leave_in_child() {
    current_outside.store(nullptr, std::memory_order_relaxed);
}

std::vector<int> processes_of_this_node(const FabricJob &job) {
    std::vector<int> processes;
    int node = job.node_of(job.this_process);
    for (int process = 0; process < job.process_count; ++process)
        if (job.node_of(process) == node)
            processes.push_back(process);
    return processes;
}

// THRUM_SHORT_LIMIT: payloads up to it travel with their header in one slot of a ring.
size_t short_limit() {
    constexpr size_t usual = 144, most = 8 << 10;
    const char *text = std::getenv("THRUM_SHORT_LIMIT");
    size_t bytes = usual;
    if (text && (!parse_size(text, bytes) || bytes > most))
        die(2, "THRUM_SHORT_LIMIT=%s: expected a size of at most 8K", text);
    return bytes;
}

// THRUM_SINGLE_COPY=0: as where the system forbids that a process reads another's memory.
bool single_copy_is_wanted() {
    const char *text = std::getenv("THRUM_SINGLE_COPY");
    return !text || std::strcmp(text, "0") != 0;
}

SharedMemory::Options shared_memory_options() {
    SharedMemory::Options options;
    options.geometry.slot_bytes =
        static_cast<uint32_t>(align_up(slot_head_bytes + header_bytes_max + short_limit(), 64));
    options.single_copy = single_copy_is_wanted();
    return options;
}

// What may be used. THRUM_FABRIC is a list, for example "shm,tcp": shared memory within a node, and
// a provider of libfabric for whatever shared memory does not reach. Not set: both, and libfabric's
// own first choice.
struct Choice {
    bool shared_memory = true;
    bool network = false; // is needed
    std::string provider; // "": libfabric's first
};

Choice read_choice(const FabricJob &job) {
    Choice choice;
    const char *text = std::getenv("THRUM_FABRIC");
    std::string list = text ? text : "shm,auto";
    choice.shared_memory = false;
    bool network_allowed = false;
    for (size_t at = 0; at <= list.size();) {
        size_t end = std::min(list.find(',', at), list.size());
        std::string word = list.substr(at, end - at);
        at = end + 1;
        if (word == "shm") {
            choice.shared_memory = true;
            continue;
        }
        network_allowed = true;
        if (word != "auto")
            choice.provider = word;
    }
    int here = job.node_of(job.this_process);
    for (int process = 0; process < job.process_count; ++process)
        choice.network |=
            process != job.this_process && (!choice.shared_memory || job.node_of(process) != here);
    if (choice.network && !network_allowed)
        die(1,
            "THRUM_FABRIC=%s, but the job has processes on several nodes: add a provider of "
            "libfabric, for example THRUM_FABRIC=shm,tcp",
            text);
    return choice;
}

struct NetworkStart {
    Fabric &fabric;
    const Choice &choice;
    std::string why;
    bool ok;
};

// On a thread with a stack of the usual size: providers need more than a fiber has.
void *open_network_on_thread(void *argument) {
    auto &start = *static_cast<NetworkStart *>(argument);
    const std::string &provider = start.choice.provider;
    start.ok =
        start.fabric.network.create(provider.empty() ? nullptr : provider.c_str(), start.why);
    return nullptr;
}

void open_network(Fabric &f, const Choice &choice) {
    NetworkStart start{f, choice, {}, false};
    pthread_t thread;
    if (::pthread_create(&thread, nullptr, open_network_on_thread, &start) != 0)
        die(1, "no thread to open the network; raise ulimit -u");
    ::pthread_join(thread, nullptr);
    if (!start.ok)
        die(1, "%s", start.why.c_str());
    f.has_network = true;
}

// After all have published their addresses.
void connect(Fabric &f, const Choice &choice) {
    const FabricJob &job = f.job;
    std::vector<int> here = processes_of_this_node(job);
    for (int process : here) // also without messages through it: it knows how busy the node is
        if (process != job.this_process)
            f.shared_memory.set_address(process, job.fetch(process, "fabric.shm"));
    for (int process = 0; process < job.process_count; ++process) {
        if (process == job.this_process)
            continue;
        if (choice.shared_memory && job.node_of(process) == job.node_of(job.this_process)) {
            f.endpoint.set_transport(process, f.shared_memory);
            continue;
        }
        std::string why;
        if (!f.network.set_address(process, job.fetch(process, "fabric.net"), why))
            die(1, "%s", why.c_str());
        f.endpoint.set_transport(process, f.network);
    }
    f.shared_memory.join(here.front());
    f.description = choice.shared_memory ? "within the node: shared memory, rings of packet slots\n"
                                         : "within the node: as between nodes (THRUM_FABRIC)\n";
    f.description += choice.network ? "between nodes: " + f.network.description() +
                                          (choice.provider.empty() ? " (libfabric's first choice)"
                                                                   : " (THRUM_FABRIC)")
                                    : "between nodes: nothing is needed";
    if (choice.network)
        f.helper.set_before_sleep(
            [](void *network) { return static_cast<Libfabric *>(network)->before_helper_sleeps(); },
            &f.network);
}

} // namespace

void fabric_begin(const FabricJob &job) {
    CHECK(job.process_count > 1);
    auto *f = new Fabric(job);
    f->endpoint.set_lost_function(job.lost);
    for (int kind = 0; kind < message_kind_count; ++kind)
        if (Receiver &receiver = early_receivers[kind]; receiver.function)
            f->endpoint.set_arrive_function(static_cast<MessageKind>(kind), receiver.function,
                                            receiver.argument);
    std::string why;
    if (!f->helper.open())
        die(1, "no descriptors for messages between processes; raise ulimit -n");
    if (!f->shared_memory.create(shared_memory_options(), why))
        die(1, "%s", why.c_str());
    Choice choice = read_choice(job);
    if (choice.network) {
        open_network(*f, choice);
        job.publish("fabric.net", f->network.address());
    }
    job.publish("fabric.shm", f->shared_memory.address());
    job.fence();
    connect(*f, choice);
    static bool prepared_for_fork = ::pthread_atfork(nullptr, nullptr, leave_in_child) == 0;
    (void)prepared_for_fork;
    fabric = f;
    // Only now: what has come meanwhile may want an answer.
    if (!f->helper.start())
        die(1, "no thread for messages between processes; raise ulimit -u");
    set_outside(&the_outside);
}

void fabric_end() {
    Fabric &f = *fabric;
    while (!f.endpoint.is_flushed()) {
        f.endpoint.progress();
        yield();
    }
    f.endpoint.set_lost_function(nullptr);
    f.job.fence();
    set_outside(nullptr);
    f.endpoint.close();
    while (f.listened_to.load(std::memory_order_acquire))
        ::sched_yield();
    f.helper.stop();
    if (f.has_network)
        f.network.close();
    f.shared_memory.leave();
}

bool fabric_is_there() {
    return fabric != nullptr;
}

void set_arrive_function(MessageKind kind, ArriveFunction function, void *argument) {
    early_receivers[static_cast<size_t>(kind)] = {function, argument};
    if (fabric)
        fabric->endpoint.set_arrive_function(kind, function, argument);
}

bool fabric_send(int process, Channel channel, MessageKind kind, const void *header,
                 size_t header_bytes, const iovec *payload, int parts) {
    return fabric->endpoint.send(process, channel, kind, header, header_bytes, payload, parts,
                                 true);
}

size_t fabric_piece_bytes_max(int process) {
    return fabric->endpoint.piece_bytes_max(process);
}

RemoteMemory fabric_expose(const void *memory, size_t bytes) {
    return fabric->endpoint.expose(memory, bytes);
}

void fabric_withdraw(const RemoteMemory &memory) {
    fabric->endpoint.withdraw(memory);
}

void fabric_read(int process, const RemoteMemory &from, size_t offset, void *into, size_t bytes,
                 ReadDoneFunction done, void *argument) {
    fabric->endpoint.read(process, from, offset, into, bytes, done, argument);
}

bool fabric_progress() {
    return fabric && fabric->endpoint.progress();
}

std::string fabric_description() {
    if (!fabric)
        return "one process: nothing is needed";
    return fabric->description;
}

} // namespace thrum
