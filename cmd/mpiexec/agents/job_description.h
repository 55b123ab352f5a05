// What an agent must know in order to start the processes of its node: the data of Word::Start.
#pragma once
#include "plan/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpiexec {

// The job, as mpiexec sends it.
struct JobDescription {
    Options options; // from which the agent makes the plan
    std::string job_name;
    int node = 0;
    std::string directory;              // in which mpiexec was called
    unsigned file_mask = 0;             // umask
    double patience_s = 0;              // silence of mpiexec after which it counts as gone
    std::vector<std::string> variables; // NAME=VALUE
};

// Convert it to and from the data of a message. decode_job() throws UsageError.
std::string encode(const JobDescription &job);
JobDescription decode_job(std::string_view text);

// Returns the environment of this process without what belongs to this host and login.
std::vector<std::string> variables_for_hosts();
// Replaces what belongs to a host and login in `variables` by what this process has of it.
void take_variables_of_host(std::vector<std::string> &variables);
// Replaces the environment by `variables`, except for what belongs to this host and login.
void take_variables(const std::vector<std::string> &variables);

} // namespace mpiexec
