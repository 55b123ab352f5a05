// A picture of the speed-up against the number of ranks, as SVG.
#pragma once
#include "result.h"

#include <string>

namespace sweep {

// Returns the picture of the counts that have a speed-up; `cores` are those of the machine, which
// bound the ideal. `title` is the program. Readable on light and dark backgrounds.
std::string picture_of(const Result &result, int cores, const std::string &title);

} // namespace sweep
