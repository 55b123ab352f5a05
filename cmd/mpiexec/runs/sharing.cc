#include "runs/sharing.h"

#include "plan/usage_error.h"

#include <fmt/core.h>

namespace mpiexec {

void check_sharing(const Options &options, const char *option) {
    if (!options.processes)
        return;
    for (const ProgramSpec &spec : options.programs) {
        if (!spec.refusal.empty())
            throw UsageError(2, fmt::format("{} is for programs whose ranks can share a process: "
                                            "{}",
                                            option, spec.refusal));
        if (spec.is_launcher)
            throw UsageError(2, fmt::format("{} is for ranks that share a process, but {} gets a "
                                            "process for each: name the MPI program itself",
                                            option, spec.argv[0]));
    }
}

} // namespace mpiexec
