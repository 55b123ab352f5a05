#include "wireup/lonely_task.h"

#include "base/check.h"
#include "base/settings.h"
#include "wireup/wireup.h"

#include <cstdlib>
#include <cstring>

namespace thrum {

void refuse_lonely_task() {
    // mpiexec may be between srun and this process.
    if (has_other_processes() || settings().launcher_pid)
        return;
    const char *tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    const char *wanted = std::getenv("THRUM_SINGLETON");
    if (!tasks || std::atoi(tasks) <= 1 || (wanted && *wanted && std::strcmp(wanted, "0") != 0))
        return;
    die(2,
        "srun has started %s tasks that do not know of each other, so that each would be a job "
        "of its own: use srun --mpi=pmix (or set THRUM_SINGLETON=1, if that is wanted)",
        tasks);
}

} // namespace thrum
