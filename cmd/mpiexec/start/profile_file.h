// Where ranks of a program write what Clang's coverage has counted.
#pragma once
#include "plan/options.h"

#include <string>

namespace mpiexec {

// Returns the name of a file in which LLVM's profile run time adds the counts of all processes:
// `name` with "%m".
std::string merged_profile_file(const std::string &name);

// Sets LLVM_PROFILE_FILE in the own environment if ranks of the job would write the same file and
// destroy each other's counts, and says so. Merging is an option of the file's name.
void set_profile_file(const Options &options);

} // namespace mpiexec
