// What to say about an option that mpiexec does not have.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// The known option that `name` is probably a misspelling of, or "".
std::string closest_option(const std::string &name, const std::vector<std::string> &known);

} // namespace mpiexec
