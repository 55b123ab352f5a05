#include "fiber/places.h"

#include "base/settings.h"
#include "fiber/task_state.h"
#include "fiber/usable_cores.h"

#include <algorithm>
#include <cstdint>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

struct PlannedPlaces {
    int workers = 0;
    std::vector<WorkerPlace> places;
};

PlannedPlaces &planned() {
    static auto *the_plan =
        new PlannedPlaces; // never destroyed: workers run while the process exits
    return *the_plan;
}

// Returns the range of workers around `worker` whose processors belong to the same instance.
WorkerRange mates(const std::vector<int> &instances, int worker) {
    const int instance = instances[static_cast<size_t>(worker)];
    auto same = [&](int other) {
        return instances[static_cast<size_t>(other)] == instance;
    };
    int first = worker;
    int end = worker + 1;
    while (first > 0 && same(first - 1))
        --first;
    while (end < static_cast<int>(instances.size()) && same(end))
        ++end;
    return {first, end - first};
}

cpu_set_t processors_with(const std::vector<int> &processors, const std::vector<int> &instances,
                          int instance) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t i = 0; i < processors.size(); ++i)
        if (instances[i] == instance)
            CPU_SET(static_cast<size_t>(processors[i]), &set);
    return set;
}

cpu_set_t processors_of(pid_t thread) {
    cpu_set_t set;
    if (::sched_getaffinity(thread, sizeof set, &set) != 0)
        CPU_ZERO(&set);
    return set;
}

} // namespace

std::vector<WorkerPlace> places_of_workers(const Hardware &hardware, const cpu_set_t &processors,
                                           int count) {
    const std::vector<int> ordered = hardware.in_order(processors);
    const int node_type = hardware.find("hwloc://NUMANode");
    if (count != static_cast<int>(ordered.size()) || node_type < 0)
        return {};
    const int cache_type = std::max(hardware.find("hwloc://L3Cache"), node_type);
    std::vector<int> nodes;
    std::vector<int> caches;
    for (int processor : ordered) {
        nodes.push_back(hardware.instance_of(node_type, processor));
        caches.push_back(hardware.instance_of(cache_type, processor));
    }
    if (std::count(nodes.begin(), nodes.end(), nodes.front()) == count)
        return {};
    std::vector<WorkerPlace> places;
    for (int i = 0; i < count; ++i) {
        WorkerPlace &place = places.emplace_back();
        const auto at = static_cast<size_t>(i);
        place.node_processors = processors_with(ordered, nodes, nodes[at]);
        place.cache_processors = processors_with(ordered, caches, caches[at]);
        // A cache that several nodes share says nothing about the place in a node.
        CPU_AND(&place.cache_processors, &place.cache_processors, &place.node_processors);
        place.node_mates = mates(nodes, i);
        place.cache_mates = mates(caches, i);
        if (place.cache_mates.count > place.node_mates.count)
            place.cache_mates = place.node_mates;
    }
    return places;
}

// The processors are counted first: that reads no file.
void plan_places(int count) {
    PlannedPlaces &plan = planned();
    if (plan.workers == count)
        return;
    plan.workers = count;
    plan.places.clear();
    if (settings().bind_workers && count > 1 && CPU_COUNT(&usable_processors()) == count &&
        Hardware::this_machine_has_nodes())
        plan.places = places_of_workers(Hardware::of_this_machine(), usable_processors(), count);
}

const WorkerPlace *place_of_worker(int worker) {
    const std::vector<WorkerPlace> &places = planned().places;
    return places.empty() ? nullptr : &places[static_cast<size_t>(worker)];
}

void bind_to(const WorkerPlace &place) {
    // Failures mean that somebody outside has changed what the process may use.
    ::sched_setaffinity(0, sizeof place.cache_processors, &place.cache_processors);
    ::sched_setaffinity(0, sizeof place.node_processors, &place.node_processors);
}

int home_worker(int rank, int ranks, int workers) {
    return static_cast<int>(int64_t{rank} * workers / ranks);
}

void NodeVisits::visit(int rank, int ranks) {
    if (planned().places.empty())
        return;
    const WorkerPlace &place = *place_of_worker(home_worker(rank, ranks, planned().workers));
    if (std::exchange(node_, place.node_mates.first) != place.node_mates.first)
        ::sched_setaffinity(0, sizeof place.node_processors, &place.node_processors);
    const int here = ::sched_getcpu();
    ranks_at_home_ += here >= 0 && CPU_ISSET(static_cast<size_t>(here), &place.node_processors);
}

NodeVisits::~NodeVisits() {
    if (node_ >= 0)
        ::sched_setaffinity(0, sizeof usable_processors(), &usable_processors());
}

cpu_set_t processors_of_fibers() {
    return planned().places.empty() ? processors_of(::getpid()) : usable_processors();
}

cpu_set_t processors_of_caller() {
    const Task *task = current_task_or_null;
    return task && task->kind == TaskKind::Fiber ? processors_of_fibers() : processors_of(0);
}

} // namespace thrum
