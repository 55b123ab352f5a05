// Spawned processes on several hosts (agents/spread_processes.h).
#include "agents/spread_processes.h"

#include "agents/added_group.h"
#include "start/added_start.h"

#include <algorithm>
#include <cerrno>
#include <fmt/core.h>
#include <sstream>

namespace mpiexec {

SpreadProcesses::SpreadProcesses(const Options &options, const Plan &plan,
                                 const std::string &job_name, Agents &agents)
    : options_(options), plan_(plan), job_name_(job_name), agents_(agents) {
    for (const std::string &name : plan.hosts)
        for (const Host &host : options.hosts)
            if (host.name == name)
                free_.push_back(host.slots);
    for (const PlannedProcess &process : plan.processes)
        free_[static_cast<size_t>(process.node)] -= process.ranks;
}

// Chooses a node for each process: free slots one after the other, or in turn, as for the first
// processes. If there are none, the host with the fewest ranks above its slots. Never a lost one.
// Returns false if a host that the request names is not part of the job, or all that it names are
// lost.
bool SpreadProcesses::choose_nodes(const SpawnRequest &request, std::vector<int> &nodes) const {
    std::vector<int> free = free_;
    const bool in_turn = options_.map_by == "node";
    for (const SpawnRequest::Program &program : request.programs) {
        std::vector<size_t> allowed;
        std::istringstream names(program.hosts);
        for (std::string name; std::getline(names, name, ',');) {
            auto host = std::find(plan_.hosts.begin(), plan_.hosts.end(), name);
            if (host == plan_.hosts.end())
                return false;
            allowed.push_back(static_cast<size_t>(host - plan_.hosts.begin()));
        }
        if (allowed.empty())
            for (size_t node = 0; node < plan_.hosts.size(); ++node)
                allowed.push_back(node);
        std::erase_if(allowed,
                      [&](size_t node) { return agents_.has_ended(static_cast<int>(node)); });
        if (allowed.empty())
            return false;
        for (int i = 0; i < program.processes; ++i) {
            size_t best = allowed[0];
            for (size_t node : allowed)
                if ((in_turn || free[best] <= 0) && free[node] > free[best])
                    best = node;
            --free[best];
            nodes.push_back(static_cast<int>(best));
        }
    }
    return true;
}

// Answers a request: the agent completes its client's PMIx_Spawn.
void SpreadProcesses::answer(int node, int question, const std::string &name_space,
                             SpawnRequest::Failure failure) {
    agents_.send(node, {Word::SpawnDone, static_cast<int>(failure), question, name_space});
}

// Slots are taken and the processes numbered at once: other requests may come before the agents
// answer.
std::vector<SpreadProcesses::Process> SpreadProcesses::on_request(int node, int question,
                                                                  const std::string &request,
                                                                  const std::string &parent) {
    AddedGroup group;
    group.request.decode(request);
    std::vector<int> nodes;
    if (!choose_nodes(group.request, nodes)) {
        answer(node, question, "", SpawnRequest::Failure::NoSuchHost);
        return {};
    }
    const int number = ++requests_;
    group.name_space = fmt::format("{}-{}", job_name_, number);
    group.first_number = static_cast<int>(plan_.processes.size() + added_.size());
    RequestOrigin origin = origin_of(group.request);
    const int first = origin.first_number;
    families_.add(group.name_space, {parent, std::move(origin.parents)});
    const std::set<int> involved(nodes.begin(), nodes.end());
    pending_[number] = {node, question, group.name_space, involved, 0, added_.size(), nodes.size()};
    for (size_t i = 0; i < nodes.size(); ++i) {
        const auto in_name_space = static_cast<int>(i);
        group.layout.push_back({1, nodes[i]});
        --free_[static_cast<size_t>(nodes[i])];
        added_.push_back(
            {nodes[i],
             name_of_added(in_name_space, group.program_of(in_name_space).arguments[0]),
             prefix_of_added(options_, in_name_space),
             false,
             false,
             {group.name_space, first < 0 ? -1 : first + in_name_space},
             in_name_space});
    }
    // Before the agents are asked: fences and the loss of a host refer to these nodes.
    nodes_[group.name_space].assign(involved.begin(), involved.end());
    for (int each : involved)
        agents_.send(each, {Word::StartAdded, 0, number, group.encode()});
    return {added_.end() - static_cast<ptrdiff_t>(nodes.size()), added_.end()};
}

// Either all processes of a request run, or none.
void SpreadProcesses::on_started(int node, int request, int error) {
    auto found = pending_.find(request);
    if (found == pending_.end())
        return;
    Pending &pending = found->second;
    if (error) {
        pending.error = error;
        for (size_t i = pending.first; i < pending.first + pending.count; ++i)
            added_[i].is_part_of_none = true;
    }
    pending.missing.erase(node);
    if (!pending.missing.empty())
        return;
    if (pending.error)
        for (int each : nodes_[pending.name_space])
            agents_.send(each, {Word::EndAdded, 0, 0, pending.name_space});
    answer(pending.node, pending.question, pending.error ? "" : pending.name_space,
           pending.error == ENOENT         ? SpawnRequest::Failure::NotFound
           : pending.error == EHOSTUNREACH ? SpawnRequest::Failure::HostLost
                                           : SpawnRequest::Failure::NotStarted);
    pending_.erase(found);
}

void SpreadProcesses::on_host_lost(int node) {
    std::vector<int> concerned;
    for (const auto &[request, pending] : pending_)
        if (std::ranges::count(nodes_[pending.name_space], node) > 0)
            concerned.push_back(request);
    for (int request : concerned)
        on_started(node, request, EHOSTUNREACH);
}

std::vector<int> SpreadProcesses::nodes_of(const std::string &name_space) const {
    if (auto found = nodes_.find(name_space); found != nodes_.end())
        return found->second;
    std::set<int> all; // that have some of the first processes
    for (const PlannedProcess &process : plan_.processes)
        all.insert(process.node);
    return {all.begin(), all.end()};
}

void SpreadProcesses::on_end(size_t number, bool never_started) {
    if (!is_added(number))
        return;
    Process &process = added_[number - plan_.processes.size()];
    if (!process.has_ended)
        ++free_[static_cast<size_t>(process.node)];
    process.has_ended = true;
    process.is_part_of_none |= never_started;
}

} // namespace mpiexec
