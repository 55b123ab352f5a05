// Makes the plan of a job (plan/plan.h). Ranks are taken in their order. Each process gets the next
// ranks, as many as belong together and as the chosen host has slots for. The host is the first
// with a free slot, the next in turn (--map-by node), or that of the rank file. At the end the
// hosts that have processes are numbered as nodes.
#include "plan/plan.h"

#include "plan/usage_error.h"

#include <algorithm>
#include <climits>
#include <fmt/core.h>

namespace mpiexec {
namespace {

// Sets the programs of the process's ranks. A process may host ranks of several programs.
void take_programs(const Options &options, PlannedProcess &process) {
    int begin = process.first_rank, end = begin + process.ranks, at = 0;
    for (size_t p = 0; p < options.programs.size(); ++p) {
        const ProgramSpec &spec = options.programs[p];
        int overlap = std::min(end, at + spec.ranks) - std::max(begin, at);
        at += spec.ranks;
        if (overlap <= 0)
            continue;
        if (process.programs.empty())
            process.first_program = static_cast<int>(p);
        process.programs.push_back(spec);
        process.programs.back().ranks = overlap;
    }
}

// Returns the error for a line of the rank file.
UsageError wrong_place(const Options &options, const RankPlace &place, const std::string &what) {
    return {2, fmt::format("--rankfile {}, line {}: {}", options.rank_file, place.line, what)};
}

// Makes one plan; make() is called once.
class Planner {
public:
    explicit Planner(const Options &options) : options_(options), ranks_(count_ranks(options)) {
        hosts_ = options.hosts;
        if (hosts_.empty())
            hosts_ = {{name_of_this_machine(), INT_MAX}};
        for (const Host &host : hosts_)
            free_.push_back(host.slots);
    }

    Plan make() {
        check_slots();
        // With processes, in turn or by a rank file, ranks are placed one by one. Otherwise a
        // host's ranks may share a process.
        bool one_by_one = options_.processes || options_.hosts.empty() ||
                          options_.map_by == "node" || !options_.rank_places.empty();
        int each = std::max(options_.ranks_per_process, one_by_one ? 1 : 0);
        for (const RankPlace &place : options_.rank_places)
            check_begins_process(place, each);
        for (int first = 0; first < ranks_;)
            first += add_process(first, each ? each : INT_MAX);
        number_hosts();
        plan_.has_agents = !is_here();
        if (!plan_.has_agents)
            plan_.hosts = {name_of_this_machine()};
        return std::move(plan_);
    }

private:
    // Throws if the job has more ranks than the hosts have slots.
    void check_slots() const {
        long slots = 0;
        for (const Host &host : hosts_)
            slots += host.slots;
        if (ranks_ > slots)
            throw UsageError(
                2, fmt::format("{} ranks are more than the {} slots of the hosts ({}): give hosts "
                               "more slots (HOST:N; slots=N in a host file), add hosts, or -n {}",
                               ranks_, slots, list_of(hosts_), slots));
    }

    // Adds a process of at most `each` ranks from `first` on; returns how many it has.
    int add_process(int first, int each) {
        PlannedProcess process;
        process.first_rank = first;
        process.ranks = std::min(each, ranks_ - first);
        size_t node = options_.rank_places.empty() ? next_node() : node_by_rank_file(process);
        process.ranks = std::min(process.ranks, free_[node]);
        free_[node] -= process.ranks;
        process.node = static_cast<int>(node);
        take_programs(options_, process);
        plan_.processes.push_back(std::move(process));
        return plan_.processes.back().ranks;
    }

    // Returns a host with a free slot, of which check_slots() has made sure.
    size_t next_node() {
        if (options_.map_by == "node" && !plan_.processes.empty())
            turn_ = (turn_ + 1) % hosts_.size();
        while (free_[turn_] == 0)
            turn_ = (turn_ + 1) % hosts_.size();
        return turn_;
    }

    // Returns the host of the process's line in the rank file. Throws if there is none, or if it is
    // full.
    size_t node_by_rank_file(PlannedProcess &process) {
        const auto &places = options_.rank_places;
        auto place = std::find_if(places.begin(), places.end(),
                                  [&](const RankPlace &p) { return p.rank == process.first_rank; });
        if (place == places.end())
            throw UsageError(2, fmt::format("--rankfile {}: rank {} has no line",
                                            options_.rank_file, process.first_rank));
        process.place = &*place;
        for (size_t node = 0; node < hosts_.size(); ++node) {
            if (place->host != hosts_[node].name)
                continue;
            if (free_[node] < process.ranks)
                throw wrong_place(options_, *place,
                                  fmt::format("{} has no slot left: it offers {}", place->host,
                                              hosts_[node].slots));
            return node;
        }
        if (options_.hosts.empty())
            throw wrong_place(
                options_, *place,
                fmt::format(
                    "{} is not the name of this machine, {}; name other machines with --hosts",
                    place->host, hosts_[0].name));
        throw wrong_place(
            options_, *place,
            fmt::format("{} is not one of the hosts ({})", place->host, list_of(hosts_)));
    }

    // Throws unless the rank of a line is the first of a process: lines place processes.
    void check_begins_process(const RankPlace &place, int each) const {
        if (place.rank < 0 || place.rank >= ranks_ || place.rank % each)
            throw wrong_place(
                options_, place,
                fmt::format("rank {} is not the first of a process; the job has {} processes",
                            place.rank, (ranks_ + each - 1) / each));
    }

    // Numbers the nodes in the order of their first processes. Hosts without any are only kept for
    // processes that will be spawned.
    void number_hosts() {
        std::vector<int> number(hosts_.size(), -1);
        for (PlannedProcess &process : plan_.processes) {
            int &node = number[static_cast<size_t>(process.node)];
            if (node < 0) {
                node = static_cast<int>(plan_.hosts.size());
                plan_.hosts.push_back(hosts_[static_cast<size_t>(process.node)].name);
            }
            process.node = node;
        }
        for (size_t i = 0; options_.is_on("spawn") && i < hosts_.size(); ++i)
            if (number[i] < 0)
                plan_.hosts.push_back(hosts_[i].name);
    }

    // Returns whether all run on this machine, so that no agent is needed.
    bool is_here() const {
        return options_.hosts.empty() ||
               (plan_.hosts.size() == 1 && options_.value_of("launcher") != "fork" &&
                is_this_machine(plan_.hosts[0]));
    }

    const Options &options_;
    int ranks_;
    std::vector<Host> hosts_;
    std::vector<int> free_; // slots of each
    size_t turn_ = 0;
    Plan plan_;
};

} // namespace

int Plan::count_on(int node) const {
    return static_cast<int>(std::count_if(processes.begin(), processes.end(),
                                          [&](const PlannedProcess &p) { return p.node == node; }));
}

int Plan::ranks_on(int node) const {
    int ranks = 0;
    for (const PlannedProcess &p : processes)
        ranks += p.node == node ? p.ranks : 0;
    return ranks;
}

Plan make_plan(const Options &options) {
    return Planner(options).make();
}

std::vector<thrum::ProcessPlace> layout_of(const Plan &plan) {
    std::vector<thrum::ProcessPlace> layout;
    for (const PlannedProcess &process : plan.processes)
        layout.push_back({process.ranks, process.node});
    return layout;
}

} // namespace mpiexec
