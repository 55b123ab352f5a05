// Communicators that span node processes: the map of their members' processes, their context ids,
// and the registry of their contexts. In the registry, members that create a communicator find the
// context that another member of this process has made.
#include "comm/span.h"

#include "base/check.h"
#include "comm/group.h"
#include "comm/process.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace thrum {
namespace {

// The contexts that span processes, by id. Contexts of duplicates are not in it.
struct Registry {
    SpinLock lock; // guards the map
    std::unordered_map<uint32_t, Context *> contexts;
    // By process outside MPI_COMM_WORLD: number of communicators in common. Guarded by the lock,
    // too.
    std::unordered_map<NodeProcess, int> connections;
};

Registry &registry() {
    static auto *the_registry = new Registry; // never destroyed: ranks may outlive static objects
    return *the_registry;
}

// Updates the connections with processes outside MPI_COMM_WORLD. The caller holds the registry's
// lock.
void count_connections(const ProcessMap &span, int change) {
    const Origin *added = origin();
    const int first = added ? added->first_process : 0;
    const int end = added ? first + added->count : node_process_count();
    for (NodeProcess process : span.processes)
        if (process.number() < first || process.number() >= end)
            registry().connections[process] += change;
}

NodeProcess process_of(const Process &process) {
    return is_remote(process) ? node_process_of(process.number) : this_node_process();
}

// Adds a group to the map. Processes are numbered in the order of their first members, which is the
// same in all processes; local members are listed.
void add_side(ProcessMap &span, int side, const Group &group, int first_member) {
    ProcessMap::Side &part = span.sides[side];
    std::unordered_map<NodeProcess, int> last_member; // by process
    for (int rank = 0; rank < group.size; ++rank) {
        const NodeProcess process = process_of(group[rank]);
        auto found = std::find(span.processes.begin(), span.processes.end(), process);
        const int index = static_cast<int>(found - span.processes.begin());
        if (found == span.processes.end())
            span.processes.push_back(process);
        auto [last, is_first] = last_member.try_emplace(process, rank);
        if (is_first)
            part.processes.push_back(index);
        else if (last->second != rank - 1)
            part.consecutive = false;
        last->second = rank;
        span.index_of.push_back(index);
        if (process == this_node_process()) {
            span.here = index;
            span.locals.push_back(first_member + rank);
            span.local_side.push_back(side);
        }
    }
}

} // namespace

int ProcessMap::member_in(NodeProcess process) const {
    for (size_t member = 0; member < index_of.size(); ++member)
        if (processes[static_cast<size_t>(index_of[member])] == process)
            return static_cast<int>(member);
    return 0;
}

int ProcessMap::local_of(int member) const {
    return static_cast<int>(std::lower_bound(locals.begin(), locals.end(), member) -
                            locals.begin());
}

int local_members(const Group &group, const Group *other) {
    if (!has_other_processes())
        return group.size + (other ? other->size : 0);
    int count = 0;
    for (const Group *g : {&group, other})
        for (int rank = 0; g && rank < g->size; ++rank)
            count += !is_remote((*g)[rank]);
    return count;
}

Error not_across_processes(const char *what) {
    return fail(MPI_ERR_UNSUPPORTED_OPERATION,
                "%s across node processes is not supported yet: run the ranks in one process "
                "(mpiexec without --processes or --ranks-per-process)",
                what);
}

bool spans_processes(const Group &group, const Group *other) {
    if (!has_other_processes())
        return false;
    const Group &any = group.size > 0 || !other ? group : *other;
    for (const Group *g : {&group, other})
        for (int rank = 0; g && rank < g->size; ++rank)
            if (process_of((*g)[rank]) != process_of(any[0]))
                return true;
    return false;
}

// Returns the number of counter bits in context ids: what the number of the process that makes the
// id leaves of 31.
static int counter_bits(bool of_added) {
    const int first_bits = std::bit_width(static_cast<unsigned>(node_process_count()));
    constexpr int added_bits = std::bit_width(static_cast<unsigned>(added_processes_max - 1));
    return 31 - first_bits - (of_added ? added_bits : 0);
}

static int counter_bits() {
    return counter_bits(this_node_process().number() >= node_process_count());
}

// Returns the id of a process with a counter of 0.
static uint32_t first_id_of(NodeProcess process) {
    const int added = process.number() - node_process_count();
    if (added < 0)
        return spanning_bit | static_cast<uint32_t>(process.number()) << counter_bits(false);
    const uint32_t all_ones = (1u << (31 - counter_bits(false))) - 1;
    return spanning_bit | all_ones << counter_bits(false) |
           static_cast<uint32_t>(added) << counter_bits(true);
}

uint32_t world_spanning_id() {
    const Origin *added = origin();
    return first_id_of(NodeProcess(added ? added->first_process : 0)) | spanning_id_step;
}

// The first id of the first process is MPI_COMM_WORLD's, the second that of its end
// (meeting/world_end.h). When the counter wraps around, its old ids are long out of use.
static std::atomic<uint32_t> next_counter{3 * spanning_id_step};

// Ids of different processes differ in the process's number, so no messages are needed.
uint32_t new_spanning_ids(int count) {
    const uint32_t counters = uint32_t{1} << counter_bits();
    const uint32_t needed = static_cast<uint32_t>(count) * spanning_id_step;
    uint32_t first = next_counter.load(std::memory_order_relaxed), start;
    do // a run of ids must not cross the counter's end
        start = first % counters + needed <= counters ? first : first - first % counters + counters;
    while (!next_counter.compare_exchange_weak(first, start + needed, std::memory_order_relaxed));
    return first_id_of(this_node_process()) | start % counters;
}

void return_spanning_ids(uint32_t first, int count, int used) {
    const uint32_t counters = uint32_t{1} << counter_bits();
    uint32_t now = next_counter.load(std::memory_order_relaxed);
    const uint32_t returned = static_cast<uint32_t>(count - used) * spanning_id_step;
    const uint32_t end = first + static_cast<uint32_t>(count) * spanning_id_step;
    if (now % counters == end % counters)
        next_counter.compare_exchange_strong(now, now - returned, std::memory_order_relaxed);
}

ProcessMap *new_process_map(const Group &side_0, const Group *side_1) {
    auto *span = new ProcessMap;
    add_side(*span, 0, side_0, 0);
    if (side_1)
        add_side(*span, 1, *side_1, side_0.size);
    return span;
}

ProcessMap *copy_process_map(const ProcessMap &span) {
    auto *copy = new ProcessMap;
    {
        LockGuard guard(registry().lock);
        count_connections(span, 1);
    }
    copy->processes = span.processes;
    copy->here = span.here;
    copy->index_of = span.index_of;
    copy->locals = span.locals;
    copy->local_side = span.local_side;
    copy->sides[0] = span.sides[0];
    copy->sides[1] = span.sides[1];
    return copy;
}

Context &spanning_context(uint32_t id, const Group &side_0, const Group *side_1) {
    Registry &r = registry();
    LockGuard guard(r.lock);
    Context *&place = r.contexts[id];
    if (place)
        return *place;
    ProcessMap *span = new_process_map(side_0, side_1);
    CHECK(!span->locals.empty(), "context id %08x has no member in this process", id);
    place = new_context_with(id, static_cast<int>(span->locals.size()));
    place->span = span;
    count_connections(*span, 1);
    return *place;
}

std::vector<NodeProcess> connected_processes() {
    Registry &r = registry();
    LockGuard guard(r.lock);
    std::vector<NodeProcess> connected;
    for (const auto &[process, count] : r.connections)
        if (count > 0)
            connected.push_back(process);
    return connected;
}

bool is_connected(NodeProcess process) {
    Registry &r = registry();
    LockGuard guard(r.lock);
    auto found = r.connections.find(process);
    return found != r.connections.end() && found->second > 0;
}

// Contexts of duplicates are not in the map. A connection between processes ends only if its
// communicator was disconnected (section 11.10.4).
void forget_spanning_context(Context &context) {
    {
        Registry &r = registry();
        LockGuard guard(r.lock);
        auto found = r.contexts.find(context.id); // a duplicate is not in the map
        const bool is_there = found != r.contexts.end() && found->second == &context;
        if (is_there)
            r.contexts.erase(found);
        // relaxed: a member writes it, and the last member is here.
        if (context.span->is_disconnected.load(std::memory_order_relaxed))
            count_connections(*context.span, -1);
    }
    delete context.span;
}

const ProcessMap *find_process_map(uint32_t context_id) {
    Registry &r = registry();
    LockGuard guard(r.lock);
    auto found = r.contexts.find(context_id & ~uint32_t{1});
    return found == r.contexts.end() ? nullptr : found->second->span;
}

} // namespace thrum
