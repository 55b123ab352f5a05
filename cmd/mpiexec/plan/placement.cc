// Assigns cores to processes (plan/placement.h). Cores are first put into an order, by --map-by.
// Then each process takes from that order what --bind-to asks for: the next cores or hardware
// threads, one for each of its ranks, or the whole socket or NUMA node of the next core.
#include "plan/placement.h"

#include "plan/usage_error.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace mpiexec {
namespace {

using Numbers = std::vector<int>;

// Returns the indexes of cores in the order in which processes get them: as they lie, or one of
// each socket or NUMA node in turn.
Numbers order_of_cores(const std::string &map_by, const Topology &topology) {
    std::map<int, Numbers> groups;
    for (size_t i = 0; i < topology.cores.size(); ++i) {
        const Core &core = topology.cores[i];
        int group = map_by == "socket" ? core.socket : map_by == "numa" ? core.numa : 0;
        groups[group].push_back(static_cast<int>(i));
    }
    Numbers order;
    for (size_t round = 0; order.size() < topology.cores.size(); ++round)
        for (const auto &[group, cores] : groups)
            if (round < cores.size())
                order.push_back(cores[round]);
    return order;
}

// Adds all hardware threads of a core.
void add_core(const Topology &topology, int core, Numbers &processors) {
    const Numbers &threads = topology.cores[static_cast<size_t>(core)].threads;
    processors.insert(processors.end(), threads.begin(), threads.end());
}

using Processes = std::vector<PlannedProcess *>;

// Gives each process the cores of its line in the rank file.
void bind_as_told(const Options &options, const Topology &topology, const Processes &processes) {
    for (PlannedProcess *process : processes)
        for (int core : process->place->cores) {
            if (core >= static_cast<int>(topology.cores.size()))
                throw UsageError(
                    2, fmt::format("--rankfile {}, line {}: core {}: there are {}, numbered from 0",
                                   options.rank_file, process->place->line, core,
                                   topology.cores.size()));
            add_core(topology, core, process->processors);
        }
}

// Gives each process as many cores as it has ranks.
void bind_to_cores(const Numbers &order, const Topology &topology, const Processes &processes,
                   const std::string &host) {
    size_t needed = 0;
    for (const PlannedProcess *process : processes)
        needed += static_cast<size_t>(process->ranks);
    if (needed > order.size())
        throw UsageError(2, fmt::format("--bind-to core: {} ranks need as many cores, but {} has "
                                        "{}; leave the option out, or use --bind-to socket",
                                        needed, host, order.size()));
    size_t next = 0;
    for (PlannedProcess *process : processes)
        for (int i = 0; i < process->ranks; ++i)
            add_core(topology, order[next++], process->processors);
}

// Gives each process as many hardware threads as it has ranks.
void bind_to_threads(const Numbers &order, const Topology &topology, const Processes &processes,
                     const std::string &host) {
    Numbers threads;
    for (int core : order)
        add_core(topology, core, threads);
    size_t needed = 0;
    for (PlannedProcess *process : processes)
        for (int i = 0; i < process->ranks; ++i, ++needed)
            if (needed < threads.size())
                process->processors.push_back(threads[needed]);
    if (needed > threads.size())
        throw UsageError(2, fmt::format("--bind-to hwthread: {} ranks need as many hardware "
                                        "threads, but {} has {}; leave the option out, or "
                                        "--bind-to socket",
                                        needed, host, threads.size()));
}

// Gives each process all cores of the socket or NUMA node of its next core. Processes may share
// them.
void bind_to_groups(const Numbers &order, bool numa, const Topology &topology,
                    const Processes &processes) {
    size_t next = 0;
    for (PlannedProcess *process : processes) {
        const Core &own = topology.cores[static_cast<size_t>(order[next % order.size()])];
        next += static_cast<size_t>(process->ranks);
        for (size_t i = 0; i < topology.cores.size(); ++i)
            if (numa ? topology.cores[i].numa == own.numa : topology.cores[i].socket == own.socket)
                add_core(topology, static_cast<int>(i), process->processors);
    }
}

} // namespace

void place_processes(const Options &options, const Topology &topology, Plan &plan, int node) {
    if (topology.cores.empty())
        throw UsageError(2, "hwloc finds no core on this machine");
    Processes processes;
    for (PlannedProcess &process : plan.processes)
        if (process.node == node)
            processes.push_back(&process);
    if (!options.rank_places.empty())
        return bind_as_told(options, topology, processes);
    Numbers order = order_of_cores(options.map_by, topology);
    if (options.bind_to == "core")
        bind_to_cores(order, topology, processes, plan.hosts[static_cast<size_t>(node)]);
    else if (options.bind_to == "hwthread")
        bind_to_threads(order, topology, processes, plan.hosts[static_cast<size_t>(node)]);
    else if (options.bind_to == "socket" || options.bind_to == "numa")
        bind_to_groups(order, options.bind_to == "numa", topology, processes);
}

std::string place(const Options &options, Plan &plan, int node) {
    if (!options.report_bindings && options.bind_to.empty() && options.rank_places.empty())
        return "";
    Topology topology = read_topology();
    place_processes(options, topology, plan, node);
    std::string picture;
    if (options.report_bindings)
        picture = picture_of_bindings(topology, plan, node);
    if (!topology.is_real) // of a file: a picture only
        for (PlannedProcess &process : plan.processes)
            process.processors.clear();
    return picture;
}

std::string picture_of_bindings(const Topology &topology, const Plan &plan, int node) {
    std::string text;
    int widest = plan.processes.back().first_rank + plan.processes.back().ranks - 1;
    size_t width = std::to_string(widest).size() * 2 + 7;
    for (const PlannedProcess &process : plan.processes) {
        if (process.node != node)
            continue;
        int last = process.first_rank + process.ranks - 1;
        std::string name = process.ranks == 1
                               ? fmt::format("rank {}:", process.first_rank)
                               : fmt::format("ranks {}-{}:", process.first_rank, last);
        std::string line = fmt::format("{:<{}} ", name, width);
        for (size_t i = 0; i < topology.cores.size(); ++i) {
            const Core &core = topology.cores[i];
            bool begins = i == 0 || topology.cores[i - 1].socket != core.socket;
            line += begins ? "[" : "|";
            for (int thread : core.threads)
                line += process.processors.empty() || std::count(process.processors.begin(),
                                                                 process.processors.end(), thread)
                            ? "B"
                            : ".";
            if (i + 1 == topology.cores.size() || topology.cores[i + 1].socket != core.socket)
                line += "]";
        }
        text += fmt::format("{}: {}{}\n", plan.hosts[static_cast<size_t>(node)], line,
                            process.processors.empty() ? " (not bound)" : "");
    }
    return text;
}

} // namespace mpiexec
