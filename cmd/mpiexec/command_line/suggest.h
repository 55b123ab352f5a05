// Suggestions for misspelled options and variables.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// Returns the known name that `name` is probably a misspelling of, or "". Dashes are ignored.
std::string closest_option(const std::string &name, const std::vector<std::string> &known);

} // namespace mpiexec
