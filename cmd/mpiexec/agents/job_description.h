// What an agent must know in order to start the processes of its node.
#pragma once
#include "plan/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpiexec {

struct JobDescription {
    Options options; // of which the plan is made anew
    std::string job_name;
    int node = 0;
    std::string directory;              // of mpiexec
    unsigned file_mask = 0;             // umask
    double patience_s = 0;              // silence of mpiexec that says it is gone
    std::vector<std::string> variables; // NAME=VALUE
};

std::string encode(const JobDescription &job);
JobDescription decode_job(std::string_view text); // throws UsageError

// The environment of this process but for what belongs to this host and login.
std::vector<std::string> variables_for_hosts();
// Replaces what belongs to a host and login in `variables` by what this process has of it.
void take_variables_of_host(std::vector<std::string> &variables);
// Replaces the environment by `variables`, but for what belongs to this host and login.
void take_variables(const std::vector<std::string> &variables);

} // namespace mpiexec
