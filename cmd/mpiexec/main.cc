// mpiexec (MPI 5.0 section 11.5): starts an MPI program whose ranks are threads of one process.
//
// What happens: read the command line, find each program, refuse what cannot run, put the wishes
// into the environment (base/settings.h), start the first program with the library preloaded, wait.
#include "launch.h"
#include "message.h"
#include "options.h"
#include "program.h"
#include "watch.h"

namespace mpiexec {
namespace {

ProgramKind find_programs(Options &options) {
    int job_ranks = 0;
    for (const ProgramSpec &spec : options.programs)
        job_ranks += spec.ranks;
    ProgramKind first = find_program(options.programs[0], job_ranks);
    for (size_t i = 1; i < options.programs.size(); ++i)
        if (find_program(options.programs[i], job_ranks) == ProgramKind::Script ||
            first == ProgramKind::Script)
            throw UsageError(
                2, "a script cannot be one of several programs: name the programs themselves");
    return first;
}

int run(int argc, char **argv) {
    Options options = parse_command_line(argc, argv);
    ProgramKind kind = find_programs(options);
    sigset_t child_mask = block_signals();
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
