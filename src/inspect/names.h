// Names that reports use and that only the layer above knows.
#pragma once
#include "image/image.h"

namespace thrum {

using FunctionNameFunction = const char *(unsigned function); // "MPI_Recv"
void set_function_names(FunctionNameFunction *function);
const char *name_of_function(unsigned function); // "an MPI call" if unknown

// Returns whether a place is in the C library, the C++ library or this one, none of which is to
// blame for a crash.
bool is_system_location(const Location &location);

} // namespace thrum
