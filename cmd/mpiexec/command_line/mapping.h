// --map-by and --bind-to, in the words of Open MPI and MPICH, too.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// "core", ":OVERSUBSCRIBE", "ppr:2:socket", "slot:PE=4:SPAN". Throws UsageError.
void parse_map_by(const std::string &text, Options &options);
// "core", "package", "hwthread", "core:overload-allowed". Throws UsageError.
void parse_bind_to(const std::string &text, Options &options);

// "option VALUE: expected one of A, B, C"
std::string parse_choice(const char *option, const std::string &text,
                         const std::vector<std::string> &choices);

// Ranks on each host, of "N:OBJECT": N for each such object of this machine (the hosts of a job are
// alike). Throws UsageError.
int count_by_objects(const std::string &ranks_per_object);

} // namespace mpiexec
