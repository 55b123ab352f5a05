#include "placement.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace mpiexec {
namespace {

using Numbers = std::vector<int>;

// Indexes of cores in the order in which processes get them: by core as they lie; by socket or by
// NUMA node one of each in turn.
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

void add_core(const Topology &topology, int core, Numbers &processors) {
    const Numbers &threads = topology.cores[static_cast<size_t>(core)].threads;
    processors.insert(processors.end(), threads.begin(), threads.end());
}

// "0-2,5" as numbers; empty if it is no list.
Numbers parse_list(const std::string &text) {
    Numbers numbers;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ',');) {
        int first = 0, last = 0, used = 0;
        if (sscanf(item.c_str(), "%d-%d%n", &first, &last, &used) != 2 || !used) {
            used = 0;
            if (sscanf(item.c_str(), "%d%n", &first, &used) != 1)
                return {};
            last = first;
        }
        if (static_cast<size_t>(used) != item.size() || first < 0 || last < first || last > 1 << 20)
            return {};
        for (; first <= last; ++first)
            numbers.push_back(first);
    }
    return numbers;
}

// "rank N=HOST slot=LIST" on each line; LIST numbers cores. A comment begins with #.
void read_rank_file(const Options &options, const Topology &topology, Plan &plan) {
    const std::string &path = options.rank_file;
    std::ifstream file(path);
    if (!file)
        throw UsageError(2, fmt::format("--rankfile {}: {}", path, strerror(errno)));
    int number = 0;
    auto wrong = [&](const std::string &what) {
        return UsageError(2, fmt::format("--rankfile {}, line {}: {}", path, number, what));
    };
    std::set<int> placed;
    for (std::string line; std::getline(file, line);) {
        ++number;
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        int rank = -1;
        char host[256] = "", list[256] = "";
        if (sscanf(line.c_str(), " rank %d = %255s slot = %255s", &rank, host, list) != 3)
            throw wrong("expected \"rank N=HOST slot=CORES\", such as \"rank 0=" + plan.hosts[0] +
                        " slot=0-1\"");
        auto process = std::find_if(plan.processes.begin(), plan.processes.end(),
                                    [&](const PlannedProcess &p) { return p.first_rank == rank; });
        if (process == plan.processes.end())
            throw wrong(
                fmt::format("rank {} is not the first of a process; the job has {} processes", rank,
                            plan.processes.size()));
        if (host != plan.hosts[0] && strcmp(host, "localhost") != 0)
            throw wrong(fmt::format("{} is not the name of this machine, {}", host, plan.hosts[0]));
        if (!placed.insert(rank).second)
            throw wrong(fmt::format("rank {} has been placed already", rank));
        Numbers cores = parse_list(list);
        if (cores.empty())
            throw wrong(fmt::format("slot={}: expected numbers of cores, such as 0-2,5", list));
        for (int core : cores) {
            if (core >= static_cast<int>(topology.cores.size()))
                throw wrong(fmt::format("core {}: there are {}, numbered from 0", core,
                                        topology.cores.size()));
            add_core(topology, core, process->processors);
        }
    }
    for (const PlannedProcess &process : plan.processes)
        if (!placed.count(process.first_rank))
            throw UsageError(
                2, fmt::format("--rankfile {}: rank {} has no line", path, process.first_rank));
}

// As many cores as the process has ranks.
void bind_to_cores(const Numbers &order, const Topology &topology, Plan &plan) {
    size_t needed = 0;
    for (const PlannedProcess &process : plan.processes)
        needed += static_cast<size_t>(process.ranks);
    if (needed > order.size())
        throw UsageError(2,
                         fmt::format("--bind-to core: {} ranks need as many cores, but {} has {}; "
                                     "leave the option out, or --bind-to socket",
                                     needed, plan.hosts[0], order.size()));
    size_t next = 0;
    for (PlannedProcess &process : plan.processes)
        for (int i = 0; i < process.ranks; ++i)
            add_core(topology, order[next++], process.processors);
}

// All cores of the socket or NUMA node where the process's next core lies; cores may be dealt
// twice.
void bind_to_groups(const Numbers &order, bool numa, const Topology &topology, Plan &plan) {
    size_t next = 0;
    for (PlannedProcess &process : plan.processes) {
        const Core &own = topology.cores[static_cast<size_t>(order[next % order.size()])];
        next += static_cast<size_t>(process.ranks);
        for (size_t i = 0; i < topology.cores.size(); ++i)
            if (numa ? topology.cores[i].numa == own.numa : topology.cores[i].socket == own.socket)
                add_core(topology, static_cast<int>(i), process.processors);
    }
}

} // namespace

void place_processes(const Options &options, const Topology &topology, Plan &plan) {
    if (topology.cores.empty())
        throw UsageError(2, "hwloc finds no core on this machine");
    if (!options.rank_file.empty())
        return read_rank_file(options, topology, plan);
    Numbers order = order_of_cores(options.map_by, topology);
    if (options.bind_to == "core")
        bind_to_cores(order, topology, plan);
    else if (options.bind_to == "socket" || options.bind_to == "numa")
        bind_to_groups(order, options.bind_to == "numa", topology, plan);
}

std::string picture_of_bindings(const Topology &topology, const Plan &plan) {
    std::string text;
    int widest = plan.processes.back().first_rank + plan.processes.back().ranks - 1;
    size_t width = std::to_string(widest).size() * 2 + 7;
    for (const PlannedProcess &process : plan.processes) {
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
        text += fmt::format("{}: {}{}\n", plan.hosts[0], line,
                            process.processors.empty() ? " (not bound)" : "");
    }
    return text;
}

} // namespace mpiexec
