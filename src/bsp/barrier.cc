// The barrier of a machine (barrier.h). Everything is under one lock; the last to arrive opens it,
// and a process that waits is suspended in its list.
#include "bsp/barrier.h"

#include "bsp/mistake.h"
#include "bsp/superstep_packet.h"
#include "exchange/process_tree.h"
#include "wireup/wireup.h"

#include <cstdio>

namespace thrum::bsp {
namespace {

// For printf.
unsigned long long number(uint64_t superstep) {
    return superstep;
}

// The wait at the barrier, for reports.
struct GlobalBlockage : Blockage {
    explicit GlobalBlockage(const Node &waiting) : node(waiting) {
        kind = Kind::Described;
        describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
            return static_cast<const GlobalBlockage &>(blockage).write(text, size_bytes);
        };
    }

    // All processes are blocked when this runs. Nothing is known of processes elsewhere.
    int write(char *text, size_t size_bytes) const {
        int missing = -1, count = 0;
        for (int pid = 0; pid < node.machine->size; ++pid) {
            const Node &other = node.machine->nodes[static_cast<size_t>(pid)];
            if (is_elsewhere(other))
                continue;
            bool is_counting = other.superstep > node.superstep ||
                               (other.superstep == node.superstep &&
                                other.phase == Phase::Synchronising && other.counts);
            if (is_counting) {
                std::snprintf(text, size_bytes, " in superstep %llu, which rank %d %s by counting",
                              number(node.superstep), other.process->world_rank(),
                              other.superstep > node.superstep ? "has ended" : "ends");
                return other.process->world_rank();
            }
            if (other.superstep < node.superstep || other.phase == Phase::Computing) {
                missing = other.process->world_rank();
                ++count;
            }
        }
        char others[32] = "";
        if (count > 1)
            std::snprintf(others, sizeof others, " and %d more", count - 1);
        if (missing < 0)
            std::snprintf(text, size_bytes, " in superstep %llu", number(node.superstep));
        else
            std::snprintf(text, size_bytes, " in superstep %llu; missing: rank %d%s",
                          number(node.superstep), missing, others);
        return count == 1 ? missing : -1;
    }

    const Node &node;
};

bool differ(const Announcement &one, const Announcement &other) {
    return one.superstep != other.superstep || one.is_end != other.is_end ||
           one.digest != other.digest;
}

// Reports, at the place of `mine`, how the two announcements differ.
[[gnu::cold]] void report_dispute(const Announcement &mine,
                                  const Announcement &theirs) MAY_SUSPEND {
    const int own_rank = mine.place.world_rank, rank = theirs.place.world_rank;
    auto how = [](const Announcement &said) {
        return said.is_end ? "bsp_end" : "a global synchronisation";
    };
    if (mine.superstep != theirs.superstep)
        complain_at(mine.place, mine.superstep,
                    "rank %d ends superstep %llu by %s, but rank %d its superstep %llu by %s: all "
                    "processes must end each superstep in the same way, globally or by counting",
                    own_rank, number(mine.superstep), how(mine), rank, number(theirs.superstep),
                    how(theirs));
    else if (mine.is_end != theirs.is_end)
        complain_at(mine.place, mine.superstep,
                    "rank %d ends the superstep by %s, but rank %d by %s", own_rank, how(mine),
                    rank, how(theirs));
    else
        complain_at(mine.place, mine.superstep,
                    "ranks %d and %d have made different calls of bsp_push_reg, bsp_pop_reg and "
                    "bsp_set_tagsize in this superstep or an earlier one",
                    own_rank, rank);
}

// Waits until the barrier has been passed once more than `passed`: first by looking, then
// suspended.
void wait_at_barrier(const Node &node, Barrier &barrier, uint64_t passed) MAY_SUSPEND {
    auto is_open = [&] {
        // acquire [barrier-1]: what all have done before they came.
        return barrier.passed.load(std::memory_order_acquire) != passed;
    };
    for (unsigned spins = 0; should_spin(spins); ++spins) {
        if (is_open())
            return;
        cpu_pause();
    }
    barrier.lock.lock();
    if (is_open()) {
        barrier.lock.unlock();
        return;
    }
    Task &self = current_task();
    prepare_to_suspend(self);
    barrier.waiters.push(self);
    barrier.lock.unlock();
    GlobalBlockage blockage(node);
    Waiting waiting(blockage);
    suspend();
}

// Releases all processes, which have all arrived. The caller holds the lock; it is released.
void open(Barrier &barrier) {
    TaskList awake;
    std::swap(awake, barrier.waiters);
    barrier.passed.store(barrier.passed.load(std::memory_order_relaxed) + 1,
                         std::memory_order_release); // [barrier-1]
    barrier.lock.unlock();
    make_all_runnable(awake);
}

// Adds what this process has sent to the sums. The caller holds the lock.
void add_sent(const Node &node, TreePlace &tree) {
    for (int pid : node.flow->sent_to) {
        const auto i = static_cast<size_t>(pid);
        tree.sums[i] += node.flow->sent[i].operations;
    }
}

// Returns whether all processes here and all children have arrived.
bool is_complete(const Barrier &barrier) {
    return barrier.arrived == barrier.expected &&
           barrier.tree->told == static_cast<int>(barrier.tree->children.size());
}

void send_sums(NodeProcess process, const Announcement &said,
               std::span<const uint32_t> sums) MAY_SUSPEND {
    PacketHeader header;
    header.what = PacketKind::Sums;
    header.is_end = said.is_end;
    header.from = said.pid;
    header.superstep = said.superstep;
    header.area_or_variable = said.digest;
    set_place(header, said.place);
    iovec part = part_of(sums.data(), sums.size_bytes());
    send_packet(process, header, &part, 1);
}

void send_totals(NodeProcess process, std::span<const uint32_t> totals) MAY_SUSPEND {
    PacketHeader header;
    header.what = PacketKind::Totals;
    iovec part = part_of(totals.data(), totals.size_bytes());
    send_packet(process, header, &part, 1);
}

// Releases the children, and the processes here. The totals are written under the lock that opens
// the barrier.
void let_go(Machine &machine, std::span<const uint32_t> totals) MAY_SUSPEND {
    Barrier &barrier = machine.barrier;
    for (NodeProcess child : barrier.tree->children)
        send_totals(child, totals);
    barrier.lock.lock();
    barrier.tree->totals.assign(totals.begin(), totals.end());
    open(barrier);
}

// Reports to the parent that this part of the tree has arrived; the root releases all. The caller
// holds the lock; it is released. No process arrives again before the root has released all, so the
// sums can be reset here.
void conclude(Machine &machine) MAY_SUSPEND {
    Barrier &barrier = machine.barrier;
    TreePlace &tree = *barrier.tree;
    const Announcement said = barrier.said;
    std::vector<uint32_t> sums(tree.sums.size());
    std::swap(sums, tree.sums);
    barrier.arrived = tree.told = 0;
    barrier.lock.unlock();
    if (tree.parent != no_process)
        send_sums(tree.parent, said, sums);
    else
        let_go(machine, sums);
}

} // namespace

void meet_all(Node &node, bool is_end) {
    ++node.counters.synchronisations;
    Barrier &barrier = node.machine->barrier;
    TreePlace *const tree = barrier.tree;
    const Announcement mine{node.superstep, is_end, node.registrations.digest(), node.pid,
                            current_place()};
    barrier.lock.lock();
    // The first arrival's announcement is compared with all others.
    if (barrier.arrived++ == 0 && (!tree || tree->told == 0)) {
        barrier.said = mine;
    } else if (differ(mine, barrier.said)) [[unlikely]] {
        const Announcement theirs = barrier.said;
        barrier.lock.unlock();
        report_dispute(mine, theirs);
    }
    // Read under the lock, before the barrier can open: the wait ends when it has changed.
    const uint64_t passed = barrier.passed.load(std::memory_order_relaxed);
    if (!tree) [[likely]] {
        if (barrier.arrived == barrier.expected) {
            barrier.arrived = 0;
            open(barrier);
            return;
        }
        barrier.lock.unlock();
    } else {
        add_sent(node, *tree);
        if (is_complete(barrier))
            conclude(*node.machine);
        else
            barrier.lock.unlock();
    }
    wait_at_barrier(node, barrier, passed);
}

int64_t operations_from_elsewhere(const Node &node) {
    const TreePlace *tree = node.machine->barrier.tree;
    return tree ? tree->totals[static_cast<size_t>(node.pid)] : 0;
}

void join_tree(Machine &machine) {
    // World ranks are in the order of node processes, so the first node processes have the
    // machine's processes.
    const int count = node_process_of(machine.size - 1).number() + 1;
    const int here = this_node_process().number();
    if (count == 1 || here >= count)
        return;
    std::vector<int> nodes;
    for (NodeProcess process : NodeProcesses(count))
        nodes.push_back(node_of(process));
    const Tree shape(here, 0, nodes);
    auto *tree = new TreePlace;
    tree->parent = NodeProcess(shape.parent);
    for (const Tree::Branch &branch : shape.children)
        tree->children.push_back(NodeProcess(branch.root));
    tree->sums.resize(static_cast<size_t>(machine.size));
    tree->totals.resize(static_cast<size_t>(machine.size));
    machine.barrier.tree = tree;
}

void child_has_told(Machine &machine, const Announcement &theirs, std::span<const uint32_t> sums) {
    Barrier &barrier = machine.barrier;
    TreePlace &tree = *barrier.tree;
    barrier.lock.lock();
    if (barrier.arrived == 0 && tree.told == 0) {
        barrier.said = theirs;
    } else if (differ(theirs, barrier.said)) [[unlikely]] {
        const Announcement said = barrier.said;
        barrier.lock.unlock();
        report_dispute(said, theirs);
        return;
    }
    ++tree.told;
    for (size_t pid = 0; pid < sums.size(); ++pid)
        tree.sums[pid] += sums[pid];
    if (is_complete(barrier))
        conclude(machine);
    else
        barrier.lock.unlock();
}

void parent_has_told(Machine &machine, std::span<const uint32_t> totals) {
    let_go(machine, totals);
}

} // namespace thrum::bsp
