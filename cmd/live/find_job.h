// Finds the processes with ranks of a job that runs, from the id of any of its processes.
#pragma once
#include <string>
#include <sys/types.h>
#include <vector>

namespace live {

struct FoundJob {
    std::vector<pid_t> processes; // that have ranks, or may get some
    std::string observations;     // the directory; "": the job is not observed
};

// Looks at the process and at all processes that it has started. Throws std::runtime_error if it
// does not run, may not be looked at, or is not part of a job.
FoundJob find_job(pid_t pid);

// Returns whether the file is the library of Thrum.
bool is_library(const std::string &path);

} // namespace live
