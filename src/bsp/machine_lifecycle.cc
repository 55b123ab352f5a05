// The life of a Machine. Process 0 makes it and enters the others into the table; those that begin
// earlier wait at a gate. With several node processes, process 0 sends a Begin packet, and each
// makes its own copy of the machine.
#include "bsp/machine_lifecycle.h"

#include "base/clock.h"
#include "base/settings.h"
#include "bsp/barrier.h"
#include "bsp/delivery.h"
#include "bsp/mistake.h"
#include "bsp/profile.h"
#include "bsp/superstep.h"
#include "bsp/superstep_packet.h"
#include "check/causality.h"
#include "check/own_windows.h"
#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/process_lifecycle.h"
#include "fiber/usable_cores.h"
#include "rank/added.h"
#include "rank/c_library.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace thrum::bsp {
namespace {

// Where processes that call bsp_begin() before process 0 wait.
// Guards the list, and what is written into the table.
SpinLock gate;
constinit TaskList waiting_at_gate;

// The machine, if it spans node processes. release [machine-1]: it is filled in.
std::atomic<Machine *> the_machine{nullptr};

// Prepares the flow control and the tree of a machine of several node processes.
void span_node_processes(Machine &machine) {
    const auto size = static_cast<size_t>(machine.size);
    for (int i = 0; i < machine.barrier.expected; ++i) {
        auto flow = std::make_unique<Flow>();
        flow->sent.resize(size);
        flow->heard.resize(size);
        flow->said.resize(size);
        flow->ahead_bytes.resize(size);
        machine.nodes[static_cast<size_t>(machine.first_pid + i)].flow = std::move(flow);
    }
    join_tree(machine);
}

// Fills in the nodes; `members`: the processes by pid.
void fill(Machine &machine, const std::vector<Process *> &members) {
    for (int pid = 0; pid < machine.size; ++pid) {
        Node &node = machine.nodes[static_cast<size_t>(pid)];
        node.machine = &machine;
        node.pid = pid;
        node.process = members[static_cast<size_t>(pid)];
        if (is_remote(*node.process)) {
            node.node_process = node_process_of(node.process->number);
            continue;
        }
        if (machine.barrier.expected++ == 0)
            machine.first_pid = pid;
        node.world_context = node.process->world->context->id;
        // The last inbox serves nothing yet: recycle() prepares it when the first superstep ends.
        for (unsigned s = 0; s + 1 < sets; ++s)
            node.inboxes[s].superstep.store(s, std::memory_order_relaxed);
        if (machine.is_profiled)
            node.profile = std::make_unique<Profile>();
    }
    if (machine.barrier.expected < machine.size)
        span_node_processes(machine);
}

// Enters the machine into the table and wakes the tasks that wait for it.
void open_gate(Machine &machine, const Group &all) {
    lose_causality();
    lose_own_accesses();
    TaskList awake;
    gate.lock();
    for (int i = 0; i < all.size; ++i)
        if (!is_remote(all[i]))
            set_node(all[i], i < machine.size ? &machine.nodes[static_cast<size_t>(i)] : surplus());
    std::swap(awake, waiting_at_gate);
    gate.unlock();
    make_all_runnable(awake);
}

// The wait for process 0, for reports.
struct GateBlockage : Blockage {
    GateBlockage() {
        kind = Kind::Described;
        describe = [](const Blockage &, char *text, size_t size_bytes) {
            std::snprintf(text, size_bytes, ", which process 0 has not called");
            return -1;
        };
    }
};

// Returns the node of the calling process when it has one.
Node *wait_at_gate(const Process &process) MAY_SUSPEND {
    for (;;) {
        gate.lock();
        if (Node *node = find_node(process)) {
            gate.unlock();
            return node;
        }
        Task &self = current_task();
        prepare_to_suspend(self);
        waiting_at_gate.push(self);
        gate.unlock();
        GateBlockage blockage;
        Waiting waiting(blockage);
        suspend();
    }
}

Beginning beginning_with(int process_count) {
    return {.process_count = process_count,
            .is_profiled = is_profile_wanted(),
            .buffer_bytes = buffer_bytes(process_count),
            .start_ns = now_ns()};
}

// Starts other processes beside this one, which was started alone without mpiexec.
Machine &start_others(Process &process, int count) MAY_SUSPEND {
    std::string error = "MPI has been initialised with one rank";
    std::vector<Rank *> ranks;
    ProgramSpecification program;
    program.ranks = count - 1;
    if (char *path = ::realpath("/proc/self/exe", nullptr)) {
        program.path = path;
        std::free(path);
    }
    if (const CLibraryState *libc = process.rank->libc)
        program.arguments.assign(libc->argv, libc->argv + libc->argc);
    if (has_begun(process) || !make_ranks({program}, ranks, error))
        mistake(0, "cannot start %d processes: %s; start the program with mpiexec -n %d", count,
                error.c_str(), count);
    add_processes(ranks.data(), ranks.size());
    std::vector<Process *> members{&process};
    for (Rank *rank : ranks) {
        set_initial_errhandler(*rank->process, errors_are_fatal);
        members.push_back(rank->process);
    }
    auto &machine = *new Machine(beginning_with(count));
    fill(machine, members);
    for (int pid = 0; pid < count; ++pid)
        set_node(*members[static_cast<size_t>(pid)], &machine.nodes[static_cast<size_t>(pid)]);
    start_ranks(ranks);
    return machine;
}

// Returns whether the process was started alone, and mpiexec did not ask for that.
bool is_alone(const Process &process) {
    return process.world->size == 1 && settings().launcher_pid == 0 && settings().ranks == 1;
}

// Makes the machine of the first ranks of `all`.
Machine &make_machine_of(const Group &all, const Beginning &beginning) {
    auto &machine = *new Machine(beginning);
    std::vector<Process *> members;
    for (int i = 0; i < machine.size; ++i)
        members.push_back(&all[i]);
    fill(machine, members);
    return machine;
}

// Tells the other node processes that process 0 has begun. the_machine is set first, as their
// packets may arrive at once.
void tell_of_beginning(Machine &machine) MAY_SUSPEND {
    the_machine.store(&machine, std::memory_order_release); // [machine-1]
    PacketHeader header;
    header.what = PacketKind::Begin;
    const Beginning beginning{machine.size, machine.is_profiled, machine.buffer_bytes,
                              machine.start_ns};
    iovec part = part_of(&beginning, sizeof beginning);
    for (NodeProcess process : node_processes())
        if (process != this_node_process())
            send_packet(process, header, &part, 1);
}

Machine &make_machine(Process &process, int maxprocs) MAY_SUSPEND {
    if (maxprocs < 1)
        mistake(0, "maxprocs is %d, but must be positive", maxprocs);
    if (maxprocs > 1 && is_alone(process))
        return start_others(process, maxprocs);
    const Group &all = *process.world->group;
    Machine &machine = make_machine_of(all, beginning_with(std::min(maxprocs, all.size)));
    if (has_other_processes())
        tell_of_beginning(machine);
    open_gate(machine, all);
    return machine;
}

} // namespace

int available_processes() {
    const Process &process = current_process();
    return is_alone(process) ? usable_cores() : process.world->size;
}

namespace {

// Ends the calling rank as exit(0) does. Ranks without a C-library state of their own are whole
// processes.
[[noreturn]] void exit_rank(const Process &process) MAY_SUSPEND {
    if (process.rank->libc)
        c_library().exit_rank(0);
    end_rank(0);
}

} // namespace

void init(void (*spmd)()) {
    const Process &process = current_process();
    const Node *node = find_node(process);
    const bool is_first = has_part(node) ? node->pid == 0 : process.world->rank == 0;
    if (is_first)
        return;
    spmd();
    exit_rank(process);
}

void begin_as_told(const Beginning &beginning) {
    const Group &all = *rank_at(0).process->world->group;
    Machine &machine = make_machine_of(all, beginning);
    if (thrum::node_of(NodeProcess(0)) != thrum::node_of(this_node_process()))
        machine.start_ns = now_ns(); // nodes have different clocks
    open_gate(machine, all);
    the_machine.store(&machine, std::memory_order_release); // [machine-1]
}

Machine *spanning_machine() {
    return the_machine.load(std::memory_order_acquire); // [machine-1]
}

void begin(int maxprocs) {
    Process &process = current_process();
    if (has_other_processes() && process.world->size != world_size())
        mistake(0,
                "rank %d has been added to a job of several processes: supersteps are for the "
                "ranks with which the job was started",
                process.world_rank());
    const bool leads = process.world->rank == 0;
    gate.lock();
    Node *node = find_node(process);
    gate.unlock();
    if (!node && leads)
        node = &make_machine(process, maxprocs).nodes[0];
    else if (!node)
        node = wait_at_gate(process);
    if (node == surplus()) {
        if (thrum::is_unfinished(process))
            mistake(0,
                    "process 0 asks for fewer processes than MPI has ranks: rank %d has no part "
                    "in the program, but MPI has been initialised",
                    process.world_rank());
        exit_rank(process);
    }
    if (node->phase != Phase::NotBegun)
        mistake(node->superstep, "called twice");
    node->phase = Phase::Computing;
    if (node->profile)
        node->profile->begun_ns = now_ns();
}

void end() {
    Node &node = current_node();
    meet_at_end(node);
    if (node.profile)
        finish_profile(node);
    node.phase = Phase::Ended;
    for (Inbox &inbox : node.inboxes)
        free_buffers(node, inbox);
}

} // namespace thrum::bsp
