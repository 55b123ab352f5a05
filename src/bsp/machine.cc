// The table that finds the node of a process, and the questions about a process's state.
#include "bsp/machine.h"

#include "base/tools.h"
#include "bsp/mistake.h"
#include "rank/added.h"
#include "wireup/wireup.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace thrum::bsp {
namespace {

// The node of each process, by its number, with room for all processes that the job may ever have.
// Made by the first bsp_begin().
using NodeSlot = std::atomic<Node *>;
std::atomic<NodeSlot *> table{nullptr};

// Returns the table, which is made here if there is none. Several threads may try at once: one
// wins.
NodeSlot *find_table() {
    // acquire [places-1]: its zeros.
    if (NodeSlot *known = table.load(std::memory_order_acquire))
        return known;
    const auto count = static_cast<size_t>(first_rank_count()) + added_ranks_max;
    void *memory = ::mmap(nullptr, count * sizeof(NodeSlot), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED, "cannot reserve address space for the processes of a BSP program");
    NodeSlot *none = nullptr;
    auto made = static_cast<NodeSlot *>(memory);
    if (!table.compare_exchange_strong(none, made, std::memory_order_acq_rel)) { // [places-1]
        ::munmap(memory, count * sizeof(NodeSlot));
        return none;
    }
    return made;
}

// Marks, in the table, a rank that has no part in the machine.
char surplus_mark;

} // namespace

Machine::Machine(const Beginning &beginning)
    : size(beginning.process_count), buffer_bytes(beginning.buffer_bytes),
      is_profiled(beginning.is_profiled), nodes(new Node[static_cast<size_t>(size)]),
      start_ns(beginning.start_ns) {
    // Kept: bsp_pid() and bsp_time() may be called until the process ends.
    keep_for_ever(this);
}

Node *surplus() {
    return reinterpret_cast<Node *>(&surplus_mark);
}

bool has_part(const Node *node) {
    return node && node != surplus();
}

void set_node(const Process &process, Node *node) {
    // release [place-1]: the node is filled in.
    find_table()[process.number].store(node, std::memory_order_release);
}

// A rank that is added later may have the number of one that has ended, whose node is not its own.
Node *find_node(const Process &process) {
    NodeSlot *known = table.load(std::memory_order_acquire); // [places-1]
    Node *node =
        known ? known[process.number].load(std::memory_order_acquire) : nullptr; // [place-1]
    return has_part(node) && node->world_context != process.world->context->id ? nullptr : node;
}

Node *current_node_or_null() {
    Node *node = find_node(current_process());
    return has_part(node) && node->phase != Phase::NotBegun ? node : nullptr;
}

Node &current_node() {
    Node *node = find_node(current_process());
    if (!has_part(node) || node->phase == Phase::NotBegun) [[unlikely]]
        mistake(0, "called before bsp_begin");
    if (node->phase == Phase::Ended) [[unlikely]]
        mistake(node->superstep, "called after bsp_end");
    return *node;
}

bool is_unfinished(const Rank &rank) {
    const Node *node = rank.process ? find_node(*rank.process) : nullptr;
    return has_part(node) && node->phase != Phase::NotBegun && node->phase != Phase::Ended;
}

bool has_begun(const Rank &rank) {
    auto *known = table.load(std::memory_order_acquire); // [places-1]
    return known && rank.process &&
           known[rank.process->number].load(std::memory_order_acquire); // [place-1]
}

bool stays_after_mpi(const Rank &rank) {
    if (!is_unfinished(rank))
        return false;
    find_node(*rank.process)->stayed_after_mpi = true;
    return true;
}

bool has_stayed_after_mpi(const Rank &rank) {
    const Node *node = rank.process ? find_node(*rank.process) : nullptr;
    return has_part(node) && node->stayed_after_mpi;
}

const char *complaint_about_end(const Rank &rank, int code) {
    constexpr size_t text_bytes = 160;
    auto *text = static_cast<char *>(std::malloc(text_bytes));
    if (!text)
        return "a rank has ended without calling bsp_end";
    std::snprintf(text, text_bytes,
                  "rank %d ended with exit code %d in superstep %llu, without calling bsp_end",
                  rank.world_rank, code,
                  static_cast<unsigned long long>(find_node(*rank.process)->superstep));
    return text;
}

} // namespace thrum::bsp
