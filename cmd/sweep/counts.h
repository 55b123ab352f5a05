// The numbers of ranks of a sweep, as option -n gives them.
#pragma once
#include <string>
#include <vector>

namespace sweep {

// Returns the numbers in ascending order, each once. `text` is a list, separated by commas, of
//   N               one number
//   A..B            all from A to B
//   A..B..STEP      every STEP-th of them
//   A..BxFACTOR     A, A * FACTOR, A * FACTOR^2, ..., while not above B
// Throws UsageError.
std::vector<int> parse_counts(const std::string &text);

} // namespace sweep
