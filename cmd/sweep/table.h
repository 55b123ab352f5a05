// The table of a sweep, for people: a row for each number of ranks.
#pragma once
#include "result.h"

#include <string>

namespace sweep {

// Returns the line above the rows. `greatest` is the greatest number of ranks.
std::string table_head(const Result &result, int greatest);
// Returns the row of a count. The first count of `result` is what speed-up refers to.
std::string table_row(const Result &result, const Count &count, int greatest);

// Returns a time in seconds with three digits or more: "0.0123 s", "12.3 s".
std::string text_of_seconds(double seconds);

} // namespace sweep
