// Profiling tools: libraries that come between the program and libmpi.
#pragma once
#include "image/symbol.h"

namespace thrum {

// Returns the definition of MPI function `name` in a tool, the first of `among` that has one.
Definition find_tool(const Objects &among, const char *name);

// Writes the tools' functions into the originals' slots that lead to libmpi. objects() must be
// filled.
void bind_tools();

} // namespace thrum
