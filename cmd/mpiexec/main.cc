// mpiexec (MPI 5.0 section 11.5): starts an MPI program whose ranks are threads of one process, or
// several processes.
//
// What happens: read the command line, find each program, refuse what cannot run, put the wishes
// into the environment (base/settings.h), start the first program with the library preloaded, wait.
// For several processes: plan which ranks each hosts, serve their wire-up, start them all, wait.
#include "launch.h"
#include "message.h"
#include "node_processes.h"
#include "options.h"
#include "program.h"
#include "watch.h"

namespace mpiexec {
namespace {

ProgramKind find_programs(Options &options) {
    int job_ranks = count_ranks(options);
    ProgramKind first = find_program(options.programs[0], job_ranks);
    for (size_t i = 1; i < options.programs.size(); ++i)
        if ((find_program(options.programs[i], job_ranks) == ProgramKind::Script ||
             first == ProgramKind::Script) &&
            !options.processes)
            throw UsageError(
                2, "a script cannot be one of several programs: name the programs themselves");
    return first;
}

// Programs whose ranks cannot share a process get one for each rank, unless the user has asked for
// something else.
void choose_processes(Options &options) {
    for (const ProgramSpec &spec : options.programs) {
        if (spec.refusal.empty())
            continue;
        if (!options.threads.empty() || options.ranks_per_process > 1)
            throw UsageError(2, spec.refusal);
        options.processes = true;
    }
}

int run(int argc, char **argv) {
    Options options = parse_command_line(argc, argv);
    ProgramKind kind = find_programs(options);
    choose_processes(options);
    sigset_t child_mask = block_signals();
    if (options.processes) {
        Plan plan = make_plan(options);
        if (plan.processes.size() > 1)
            return run_node_processes(options, plan, child_mask);
    }
    Child child = launch(options, kind, child_mask);
    return watch(child, options);
}

} // namespace
} // namespace mpiexec

int main(int argc, char **argv) {
    try {
        return mpiexec::run(argc, argv);
    } catch (const mpiexec::UsageError &error) {
        mpiexec::say("{}", error.what());
        return error.exit_code;
    } catch (const std::exception &error) {
        mpiexec::say("{}", error.what());
        return 1;
    }
}
