// This process's fabric: it chooses the transports, connects with the other processes, starts the
// threads, and passes the functions of fabric.h on to the endpoint and to shared memory.
#include "fabric/fabric.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/fabric_settings.h"
#include "fabric/allocation.h"
#include "fabric/description.h"
#include "fabric/endpoint/endpoint.h"
#include "fabric/growth.h"
#include "fabric/network/libfabric.h"
#include "fabric/network/network_addresses.h"
#include "fabric/network/node_watch.h"
#include "fabric/network/providers.h"
#include "fabric/shared_memory/shared_memory.h"
#include "fabric/traffic.h"
#include "fiber/external_waits.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sched.h>

namespace thrum {
namespace {

// This process's fabric. It is not destroyed at the end, because a thread may still be leaving a
// check for messages.
struct Fabric {
    // A further receiver: if requested, the processes of other nodes are distributed among several.
    struct Receiver {
        HelperThread helper;
        Libfabric network;

        explicit Receiver(Fabric &f)
            : network(f.job.process_count, f.job.this_process, helper, f.endpoint, &f.network) {}
    };

    FabricJob job;
    HelperThread helper;
    Doorbell doorbell; // used by a process with a network
    Endpoint endpoint;
    SharedMemory shared_memory;
    Libfabric network;
    NodeWatch watch; // for processes of other nodes
    bool has_network = false;
    std::vector<std::unique_ptr<Receiver>> further_receivers;
    std::atomic<bool> listened_to{false};

    explicit Fabric(const FabricJob &the_job)
        : job(the_job), endpoint(job.process_count, job.this_process, job.added_max),
          shared_memory(job.process_count, job.this_process, helper, endpoint, job.added_max),
          network(job.process_count + job.added_max, job.this_process, helper, endpoint),
          watch(helper, endpoint) {}

    // Returns the network for messages from and to `process`: it has the same number on both sides.
    Libfabric &network_for(NodeProcess process) {
        const size_t receivers = 1 + further_receivers.size();
        const size_t number = (job.this_process.index() + process.index()) % receivers;
        return number == 0 ? network : further_receivers[number - 1]->network;
    }
};

// The function that handles messages of one kind, and its argument.
struct Receiver {
    ArriveFunction function = nullptr;
    void *argument = nullptr;
};

Fabric *fabric = nullptr;
FabricGrowth growth;
Receiver early_receivers[message_kind_count]; // set before fabric_begin()

// How idle workers and waiting tasks look for messages, and sleep until one arrives.
class FabricWaits final : public ExternalWaits {
public:
    bool look() override {
        if (fabric->endpoint.progress())
            return true;
        if (fabric->has_network || !fabric->shared_memory.worth_spinning())
            return false;
        // A check costs only a few loads here, so a message that arrives now need not wait for the
        // caller's pause.
        for (int more = 3; more > 0; --more)
            if (fabric->endpoint.progress())
                return true;
        return false;
    }

    // With a network, a check needs some system calls, and answers take tens of microseconds.
    unsigned spins_of_look() override { return fabric->has_network ? 8 : 1; }

    bool yield_core() override {
        // Peers on the same core answer within some tens of microseconds, but a process that
        // computes keeps the core for milliseconds. A sleeping thread gets it back sooner, so this
        // stops yielding for a while after a long yield. Where no other thread needs the core, it
        // yields less often.
        constexpr int64_t long_ns = 200'000, short_ns = 1'000;
        constexpr int looks_alone = 4, waits_asleep = 16;
        if (!fabric->has_network)
            return true;
        // relaxed: hints
        if (const int left = waits_without_yield_.load(std::memory_order_relaxed); left > 0) {
            waits_without_yield_.store(left - 1, std::memory_order_relaxed);
            return false;
        }
        if (const int left = looks_without_yield_.load(std::memory_order_relaxed); left > 0) {
            looks_without_yield_.store(left - 1, std::memory_order_relaxed);
            return true;
        }
        const int64_t before_ns = now_ns();
        ::sched_yield();
        const int64_t away_ns = now_ns() - before_ns;
        if (away_ns < short_ns)
            looks_without_yield_.store(looks_alone, std::memory_order_relaxed);
        else if (away_ns > long_ns)
            waits_without_yield_.store(waits_asleep, std::memory_order_relaxed);
        return away_ns <= long_ns;
    }

    bool worth_spinning() override { return fabric->shared_memory.worth_spinning(); }

    // A process with a network yields in yield_core().
    bool give_way(const Completion &until) override {
        SharedMemory &shared = fabric->shared_memory;
        if (fabric->has_network || shared.worth_spinning())
            return false;
        if (fabric->endpoint.progress())
            return true;
        if (!shared.give_way(until))
            return false;
        fabric->endpoint.progress();
        return true;
    }

    bool begin_listening() override {
        bool expected = false;
        // acq_rel [listener-1]: one listener's doings come before the next one's
        if (!fabric->listened_to.compare_exchange_strong(expected, true, std::memory_order_acq_rel,
                                                         std::memory_order_relaxed))
            return false;
        fabric->shared_memory.forget_wake();
        return true;
    }

    void listen(int64_t timeout_ns) override {
        if (fabric->has_network) {
            for (auto &receiver : fabric->further_receivers)
                (void)receiver->network.before_listener_sleeps(timeout_ns);
            if (!fabric->network.before_listener_sleeps(timeout_ns))
                return;
        }
        fabric->shared_memory.sleep(timeout_ns);
    }

    void end_listening() override {
        if (fabric->has_network) {
            fabric->network.listener_is_back();
            for (auto &receiver : fabric->further_receivers)
                receiver->network.listener_is_back();
        }
        // release [listener-1]; seq_cst [successor-1]: before a look at those that sleep meanwhile.
        fabric->listened_to.store(false, std::memory_order_seq_cst);
    }

    // seq_cst [successor-1]
    bool somebody_listens() override { return fabric->listened_to.load(std::memory_order_seq_cst); }

    void wake_listener() override { fabric->shared_memory.wake(); }

private:
    std::atomic<int> looks_without_yield_{0};
    std::atomic<int> waits_without_yield_{0};
};

FabricWaits the_waits;

void before_fork() {
    fabric->watch.before_fork();
}

void after_fork() {
    fabric->watch.after_fork();
}

// Detaches a child of fork(), which is not a member of the job.
void leave_in_child() {
    current_external_waits.store(nullptr, std::memory_order_relaxed);
    fabric->watch.leave_in_child();
}

// The endpoint's lost function.
void note_loss(NodeProcess process) {
    fabric->watch.note_loss(process);
    fabric->job.lost(process);
}

// Returns the processes of this node, itself included.
std::vector<NodeProcess> processes_of_this_node(const FabricJob &job) {
    std::vector<NodeProcess> processes;
    int node = job.node_of(job.this_process);
    for (NodeProcess process : NodeProcesses(job.process_count))
        if (job.node_of(process) == node)
            processes.push_back(process);
    return processes;
}

SharedMemory::Options shared_memory_options() {
    const FabricSettings &settings = fabric_settings();
    SharedMemory::Options options;
    options.geometry.slot_bytes = static_cast<uint32_t>(
        align_up(slot_head_bytes + header_bytes_max + settings.short_bytes_max, 64));
    options.single_copy = settings.single_copy;
    return options;
}

// The directory of jobs that need the network. It names no process; processes ask for addresses.
constexpr const char *network_directory = "network";

// Returns whether some processes cannot, or must not, be reached through shared memory.
bool needs_network(const FabricJob &job) {
    if (!job.directory.empty())
        return job.directory == network_directory;
    const FabricSettings &settings = fabric_settings();
    int here = job.node_of(job.this_process);
    bool needed = growth.elsewhere;
    for (NodeProcess process : NodeProcesses(job.process_count))
        needed |= process != job.this_process &&
                  (!settings.shared_memory || job.node_of(process) != here);
    if (needed && !settings.network)
        die(1,
            "THRUM_FABRIC=%s, but the job has processes on several nodes: add a provider of "
            "libfabric, for example THRUM_FABRIC=shm,tcp",
            settings.list);
    return needed;
}

// The arguments and the result of opening the network on another thread.
struct NetworkStart {
    Fabric &fabric;
    std::string why;
    bool ok;
};

// Opens all networks on one thread with a large stack, because libfabric needs more stack than a
// fiber has.
void open_network(Fabric &f) {
    NetworkStart start{f, {}, false};
    auto open = [](void *argument) {
        auto &given = *static_cast<NetworkStart *>(argument);
        given.ok = given.fabric.network.create(fabric_settings().provider, given.why);
        for (auto &receiver : given.fabric.further_receivers)
            given.ok = given.ok && receiver->network.create(fabric_settings().provider, given.why);
    };
    // Added processes, and others towards them, use only one receiver, because the assignment
    // depends on the numbers.
    const int receivers = f.job.directory.empty() ? fabric_settings().receivers : 1;
    for (int i = 1; i < receivers; ++i) {
        f.further_receivers.push_back(std::make_unique<Fabric::Receiver>(f));
        if (!f.further_receivers.back()->helper.open())
            die(1, "cannot create file descriptors for the receivers (THRUM_RECEIVERS); raise "
                   "ulimit -n");
    }
    if (!call_on_large_stack(open, &start))
        die(1, "cannot start a thread that opens the network; raise ulimit -u");
    if (!start.ok)
        die(1, "%s", start.why.c_str());
    f.has_network = true;
}

std::vector<int> nodes_of_all(const FabricJob &job) {
    std::vector<int> nodes;
    for (NodeProcess process : NodeProcesses(job.process_count))
        nodes.push_back(job.node_of(process));
    return nodes;
}

// Returns whether the job has processes on several nodes that all exist from the beginning.
bool watches_nodes(const FabricJob &job) {
    const std::vector<int> nodes = nodes_of_all(job);
    return job.directory.empty() && std::ranges::count(nodes, nodes[0]) < job.process_count;
}

// Returns what a process has published. Waits for the wire-up.
NetworkAddresses addresses_of(const Fabric &f, NodeProcess process) {
    return parse_addresses(f.job.fetch(process, "fabric.net"));
}

// Returns the addresses of all receivers, one after the other; they have the same length.
std::string network_addresses(Fabric &f) {
    std::string addresses = f.network.address();
    for (auto &receiver : f.further_receivers)
        addresses += receiver->network.address();
    return addresses;
}

// Registers a process's addresses, after checking that it uses the same provider and as many
// receivers.
bool set_addresses(Fabric &f, NodeProcess process, std::string &why) {
    const auto [provider, all, watch] = addresses_of(f, process);
    const size_t bytes = f.network.address().size(), receivers = 1 + f.further_receivers.size();
    f.watch.set_address(process, watch);
    if (provider != f.network.provider()) {
        why = "node process " + std::to_string(process.number()) + " uses " +
              (provider.empty() ? "no network" : "libfabric's provider " + provider) +
              ", this one " + f.network.provider() +
              "; set THRUM_FABRIC to the same value for all, and use one version of libfabric";
        return false;
    }
    if (all.size() != bytes * receivers) {
        why = "node process " + std::to_string(process.number()) +
              " has another number of receivers; set THRUM_RECEIVERS to the same value for all";
        return false;
    }
    for (size_t i = 0; i < receivers; ++i) {
        Libfabric &network = i == 0 ? f.network : f.further_receivers[i - 1]->network;
        if ((i == 0 || &network == &f.network_for(process)) &&
            !network.set_address(process, all.substr(i * bytes, bytes), why))
            return false;
    }
    return true;
}

// For the helper thread of each network.
int before_helper_sleeps(void *network) {
    return static_cast<Libfabric *>(network)->before_helper_sleeps();
}

// --- Addresses of processes that the wire-up of this one's MPI_COMM_WORLD does not know. Each
// added process publishes its own; the first initial process that adds others publishes those of
// all initial ones.

// Of all initial processes.
constexpr const char *first_addresses = "addresses";

std::string key_of(NodeProcess process) {
    return "address." + std::to_string(process.number());
}

// Runs on a separate thread. Returns "" if the address is not known.
std::string find_address(NodeProcess process) {
    const bool is_added = process.number() >= fabric->job.process_count;
    const std::vector<std::string> addresses =
        parse_printable(growth.ask(is_added ? key_of(process) : first_addresses));
    const size_t place = is_added ? 0 : process.index();
    return place < addresses.size() ? addresses[place] : "";
}

// Publishes the address of an added process.
void tell_own_address(Fabric &f) {
    std::string why;
    if (!growth.tell(key_of(f.job.this_process), encode_printable({f.network.address()}), why))
        die(1, "cannot publish the address of this process: %s", why.c_str());
}

// Publishes the addresses of all initial processes. Returns true if that has been done, by any
// process.
bool tell_first_addresses(Fabric &f, std::string &why) {
    if (!f.job.directory.empty()) // done by the process that added this one
        return true;
    const std::string own = f.network.address();
    std::vector<std::string> all;
    for (NodeProcess process : NodeProcesses(f.job.process_count))
        all.push_back(process == f.job.this_process
                          ? own
                          : addresses_of(f, process).network.substr(0, own.size()));
    return growth.tell(first_addresses, encode_printable(all), why) || why.empty();
}

std::atomic<bool> has_taken_numbers{false}; // this process has reserved some

// Reserves numbers: publishes, for each start, how many are taken from there on. The wire-up keeps
// the first publication of a key, so two processes cannot take the same.
int take_told_numbers(Fabric &f, int count) {
    static std::atomic<int> known{0}; // taken numbers known to this process
    for (int first = known.load(std::memory_order_relaxed); count <= f.job.added_max - first;) {
        const std::string key = "numbers." + std::to_string(first);
        std::string why;
        if (growth.tell(key, std::to_string(count), why)) {
            has_taken_numbers.store(true, std::memory_order_relaxed);
            return f.job.process_count + first;
        }
        const std::string taken = why.empty() ? growth.ask(key) : "";
        if (taken.empty())
            return -1;
        first += std::atoi(taken.c_str());
        known.store(first, std::memory_order_relaxed);
    }
    return -1;
}

// Connects to the others after all have published their addresses.
void connect(Fabric &f) {
    const FabricJob &job = f.job;
    if (f.has_network) {
        f.endpoint.add_transport(f.network); // it reads memory of all processes
        f.endpoint.set_transport_of_added(f.network);
        f.network.set_find_function(growth.ask ? find_address : nullptr);
    } else {
        f.endpoint.set_transport_of_added(f.shared_memory);
    }
    if (!job.directory.empty()) {
        for (NodeProcess process : NodeProcesses(job.process_count))
            if (f.has_network)
                f.endpoint.set_transport(process, f.network);
            else
                f.endpoint.set_transport(process, f.shared_memory);
        if (f.has_network)
            f.shared_memory.join(job.this_process);
        else
            f.shared_memory.join_later(job.directory);
    }
    if (f.has_network)
        f.helper.set_before_sleep(before_helper_sleeps, &f.network);
    for (auto &receiver : f.further_receivers)
        receiver->helper.set_before_sleep(before_helper_sleeps, &receiver->network);
    if (!job.directory.empty())
        return;
    if (job.process_count == 1) // others may be added
        f.endpoint.set_transport(job.this_process, f.shared_memory);
    std::vector<NodeProcess> here = processes_of_this_node(job);
    // Even without messages through shared memory: it knows the load of the node.
    for (NodeProcess process : here)
        if (process != job.this_process)
            f.shared_memory.set_address(process, job.fetch(process, "fabric.shm"));
    for (NodeProcess process : NodeProcesses(job.process_count)) {
        if (process == job.this_process)
            continue;
        if (fabric_settings().shared_memory &&
            job.node_of(process) == job.node_of(job.this_process)) {
            f.endpoint.set_transport(process, f.shared_memory);
            continue;
        }
        std::string why;
        if (!set_addresses(f, process, why))
            die(1, "%s", why.c_str());
        f.endpoint.set_transport(process, f.network_for(process));
    }
    f.shared_memory.join(here.front());
    f.endpoint.add_transport(f.shared_memory); // it detects the end of this node's processes
}

} // namespace

void set_fabric_growth(const FabricGrowth &the_growth) {
    growth = the_growth;
}

// Opens shared memory and, if needed, the network; publishes the addresses; meets all processes;
// and connects. Threads are started last.
void fabric_begin(const FabricJob &job) {
    auto *f = new Fabric(job);
    f->endpoint.set_lost_function(note_loss);
    for (int kind = 0; kind < message_kind_count; ++kind)
        if (Receiver &receiver = early_receivers[kind]; receiver.function)
            f->endpoint.set_arrive_function(static_cast<MessageKind>(kind), receiver.function,
                                            receiver.argument);
    std::string why;
    if (!f->helper.open())
        die(1, "cannot create file descriptors for messages between processes; raise ulimit -n");
    if (!f->shared_memory.create(shared_memory_options(), why))
        die(1, "%s", why.c_str());
    if (needs_network(job)) {
        open_network(*f);
        if (f->network.let_listener_watch(f->doorbell)) {
            if (!f->doorbell.open())
                die(1, "cannot create file descriptors for messages between processes; raise "
                       "ulimit -n");
            f->shared_memory.sleep_at(f->doorbell);
        }
        job.publish("fabric.net", encode_addresses({f->network.provider(), network_addresses(*f),
                                                    watches_nodes(job) ? f->watch.open() : ""}));
        if (!job.directory.empty())
            tell_own_address(*f);
    }
    job.publish("fabric.shm", f->shared_memory.address());
    job.fence();
    connect(*f);
    fabric = f;
    if (watches_nodes(job))
        f->watch.begin(job.this_process, nodes_of_all(job));
    static bool prepared_for_fork = ::pthread_atfork(before_fork, after_fork, leave_in_child) == 0;
    (void)prepared_for_fork;
    // Started last: messages that have already arrived may need an answer.
    bool started = f->helper.start();
    for (auto &receiver : f->further_receivers)
        started = started && receiver->helper.start();
    if (!started)
        die(1, "cannot start a thread for messages between processes; raise ulimit -u");
    set_external_waits(&the_waits);
    // Detects processes that ended before they were watched, even if nothing checks again.
    f->endpoint.progress();
}

// Sends the last messages. This process does not wait for the others, some of which may have ended,
// so it tries for a limited time.
void let_network_send(Fabric &f) MAY_SUSPEND {
    constexpr int64_t patience_ns = 1'000'000'000;
    const int64_t limit_ns = now_ns() + patience_ns;
    auto has_sent_all = [&] {
        for (auto &receiver : f.further_receivers)
            if (!receiver->network.has_sent_all())
                return false;
        return f.network.has_sent_all();
    };
    while (!has_sent_all() && now_ns() < limit_ns) {
        f.endpoint.progress();
        yield();
    }
}

// Sends everything before the fence, so that no process leaves while others still need its data.
// The lost function is removed before that, because processes that leave would look lost.
void fabric_end() {
    Fabric &f = *fabric;
    while (!f.endpoint.is_flushed()) {
        f.endpoint.progress();
        yield();
    }
    if (f.has_network)
        let_network_send(f);
    f.endpoint.set_lost_function(nullptr);
    f.job.fence();
    set_external_waits(nullptr);
    f.endpoint.close();
    while (f.listened_to.load(std::memory_order_acquire)) // [listener-1]
        ::sched_yield();
    f.helper.stop();
    for (auto &receiver : f.further_receivers) {
        receiver->helper.stop();
        receiver->network.close();
    }
    f.watch.close();
    if (f.has_network)
        f.network.close();
    f.shared_memory.leave();
}

std::string fabric_directory(std::string &why) {
    if (!fabric->has_network)
        return fabric->shared_memory.directory_address();
    return tell_first_addresses(*fabric, why) ? network_directory : "";
}

int fabric_take_numbers(int count) {
    return fabric->has_network ? take_told_numbers(*fabric, count)
                               : fabric->shared_memory.take_numbers(count);
}

bool fabric_is_there() {
    return fabric != nullptr;
}

void set_arrive_function(MessageKind kind, ArriveFunction function, void *argument) {
    early_receivers[static_cast<size_t>(kind)] = {function, argument};
    if (fabric)
        fabric->endpoint.set_arrive_function(kind, function, argument);
}

bool fabric_send(NodeProcess process, Channel channel, MessageKind kind, const void *header,
                 size_t header_bytes, const iovec *payload, int parts) {
    return fabric->endpoint.send(process, channel, kind, header, header_bytes, payload, parts,
                                 true);
}

RemoteMemory fabric_expose(const void *memory, size_t bytes) {
    return fabric->endpoint.expose(memory, bytes);
}

void fabric_withdraw(const RemoteMemory &memory) {
    fabric->endpoint.withdraw(memory);
}

void fabric_read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                 size_t bytes, ReadDoneFunction done, void *argument) {
    fabric->endpoint.read(process, from, offset, into, bytes, done, argument);
}

void *fabric_allocate(size_t bytes, size_t alignment) {
    return fabric ? fabric->shared_memory.allocate(bytes, alignment) : nullptr;
}

HeapRelease fabric_release(void *memory) {
    return fabric ? fabric->shared_memory.release(memory) : HeapRelease::NotFromHere;
}

bool fabric_shares_memory(NodeProcess process) {
    return process == fabric->job.this_process ||
           fabric->endpoint.transport_of(process) == &fabric->shared_memory;
}

int fabric_take_gate() {
    return fabric->shared_memory.take_gate();
}

void fabric_return_gate(int number) {
    fabric->shared_memory.return_gate(number);
}

Gate *fabric_gate(NodeProcess owner, int number) {
    return fabric->shared_memory.gate(owner, number);
}

bool fabric_look_at_gate(const GateWait &wait) {
    return fabric->shared_memory.look_at_gate(wait);
}

void fabric_await_gate(const GateWait &wait) {
    fabric->shared_memory.gates().await(wait);
}

void fabric_forget_gate(const GateWait &wait) {
    fabric->shared_memory.gates().forget(wait);
}

void fabric_open_door(Door &door, std::span<const NodeProcess> others) {
    fabric->shared_memory.open_door(door, others);
}

void fabric_give_up_gate(Gate &gate, std::span<const NodeProcess> others) {
    fabric->shared_memory.give_up_gate(gate, others);
}

void fabric_catch_up() {
    fabric->endpoint.progress(true);
}

bool fabric_progress() {
    return fabric && fabric->endpoint.progress();
}

FabricTraffic fabric_traffic() {
    FabricTraffic traffic = fabric->endpoint.traffic();
    Gates &gates = fabric->shared_memory.gates();
    const uint64_t let_go = gates.let_go(), gone_on = gates.gone_on();
    traffic.passages = let_go + gone_on;
    traffic.gates_over = gates.some_are_unfinished();
    // A gate does not say which process has let this one go on, so the share of lost processes
    // cannot be left out.
    if (!traffic.without_lost) {
        traffic.sent += let_go;
        traffic.taken += gone_on;
    }
    return traffic;
}

uint64_t fabric_sent_to(NodeProcess process) {
    return fabric->endpoint.sent_to(process, Channel::PointToPoint);
}

uint64_t fabric_taken_from(NodeProcess process) {
    return fabric->endpoint.taken_from(process, Channel::PointToPoint);
}

bool fabric_has_lost(NodeProcess process) {
    return fabric && process != fabric->job.this_process && fabric->endpoint.is_lost(process);
}

bool fabric_has_grown() {
    return fabric->shared_memory.has_grown() || has_taken_numbers.load(std::memory_order_relaxed);
}

void fabric_lose(NodeProcess process) {
    if (!fabric || process == fabric->job.this_process)
        return;
    fabric->endpoint.ask_to_take_in_all(); // messages that it has sent before count
    fabric->endpoint.lost(process);
}

std::string fabric_description() {
    if (!fabric)
        return describe_prospect();
    return describe_choice(fabric->shared_memory, fabric->has_network ? &fabric->network : nullptr);
}

} // namespace thrum
