// Which node processes make up a job of several, which ranks of which programs each hosts, and on
// which host. mpiexec and each agent make the same plan of the same options.
#pragma once
#include "plan/options.h"
#include "wireup/layout.h"

namespace mpiexec {

// One node process of the plan.
struct PlannedProcess {
    int first_rank = 0; // world rank; the others follow it
    int ranks = 1;
    int node = 0;                      // index into Plan::hosts
    int first_program = 0;             // number in the job of the first of `programs`
    const RankPlace *place = nullptr;  // its line of a rank file: one of the options'
    std::vector<int> processors;       // the kernel's numbers; empty: anywhere
    std::vector<ProgramSpec> programs; // of its ranks, with the numbers of ranks here
};

// All node processes, in the order of their ranks.
struct Plan {
    std::vector<PlannedProcess> processes;
    std::vector<std::string> hosts; // names of the nodes
    bool has_agents = false;        // an agent on each node starts its processes (agents.h)

    // Returns how many of the processes are on `node`.
    int count_on(int node) const;
    // Returns how many ranks they have.
    int ranks_on(int node) const;
};

// Returns the processes that `options` ask for, of options.ranks_per_process ranks each (the last
// one of a job or of a host may have fewer). Throws UsageError if the hosts are too small. The
// result refers to `options`.
Plan make_plan(const Options &options);

// Returns the plan in the form in which the library gets it (wire-up).
std::vector<thrum::ProcessPlace> layout_of(const Plan &plan);

} // namespace mpiexec
