// What to say about an option that mpiexec does not have.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// The known option that `name` is probably a misspelling of, or "".
std::string closest_option(const std::string &name, const std::vector<std::string> &known);

// For options of the standard or of other MPIs that are deliberately not here: why; else nullptr.
const char *reason_of_refusal(const std::string &name);

} // namespace mpiexec
