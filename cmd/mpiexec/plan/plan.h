// Which node processes make up a job of several, which ranks of which programs each hosts, and
// where.
#pragma once
#include "plan/options.h"
#include "wireup/layout.h"

namespace mpiexec {

struct PlannedProcess {
    int first_rank = 0; // world rank
    int ranks = 1;
    int node = 0;
    int first_program = 0;            // number of the first of them in the job
    const RankPlace *place = nullptr; // of a rank file: one of the options'
    std::vector<int> processors; // where it may run, as the kernel numbers them; empty: anywhere
    std::vector<ProgramSpec> programs; // that its ranks run, with their numbers of ranks here
};

struct Plan {
    std::vector<PlannedProcess> processes;
    std::vector<std::string> hosts; // names of the nodes: of those that have processes
    bool has_agents = false;        // somebody on each node starts its processes (agents.h)

    int count_on(int node) const; // processes
};

// The processes that `options` ask for, of options.ranks_per_process ranks each (the last one of a
// job or of a host may have less). Throws UsageError if the hosts are too small.
Plan make_plan(const Options &options);

std::vector<thrum::ProcessPlace> layout_of(const Plan &plan);

} // namespace mpiexec
