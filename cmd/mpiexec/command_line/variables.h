// The environment variables of Thrum, to point out misspelled ones: a misspelled variable would
// have no effect, silently.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// Returns a sentence for each variable of the environment whose name is close to one of ours:
// THRUM_STAK.
std::vector<std::string> misspelled_variables(const char *const *environment);

} // namespace mpiexec
