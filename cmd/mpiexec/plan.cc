#include "plan.h"

#include <algorithm>
#include <unistd.h>

namespace mpiexec {
namespace {

// The programs of `count` ranks, from world rank `first` on.
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

std::string name_of_this_host() {
    char name[256] = "localhost";
    gethostname(name, sizeof name - 1);
    return name;
}

} // namespace

Plan make_plan(const Options &options) {
    Plan plan;
    plan.hosts = {name_of_this_host()};
    int ranks = count_ranks(options), each = std::max(options.ranks_per_process, 1);
    for (int first = 0; first < ranks; first += each) {
        PlannedProcess process;
        process.first_rank = first;
        process.ranks = std::min(each, ranks - first);
        take_programs(options, process);
        plan.processes.push_back(std::move(process));
    }
    return plan;
}

std::vector<thrum::NodeProcess> layout_of(const Plan &plan) {
    std::vector<thrum::NodeProcess> layout;
    for (const PlannedProcess &process : plan.processes)
        layout.push_back({process.ranks, process.node});
    return layout;
}

} // namespace mpiexec
