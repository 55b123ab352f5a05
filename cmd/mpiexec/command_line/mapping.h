// --map-by and --bind-to, also in the words of Open MPI and MPICH.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Takes "core", ":OVERSUBSCRIBE", "ppr:2:socket", "slot:PE=4:SPAN". Throws UsageError.
void parse_map_by(const std::string &text, Options &options);
// Takes "core", "package", "hwthread", "core:overload-allowed". Throws UsageError.
void parse_bind_to(const std::string &text, Options &options);

// Returns `text` if it is one of `choices`; otherwise throws "option VALUE: expected one of A, B,
// C".
std::string parse_choice(const char *option, const std::string &text,
                         const std::vector<std::string> &choices);

// Returns the ranks on each host for "N:OBJECT": N for each such object of this machine (the hosts
// of a job are assumed to be alike). Throws UsageError.
int count_by_objects(const std::string &ranks_per_object);

} // namespace mpiexec
