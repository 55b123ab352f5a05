// Names that reports use and that only the layer above knows.
#pragma once
#include "image/image.h"

namespace thrum {

// Returns the name of a thrum::Function, such as "MPI_Recv".
using FunctionNameFunction = const char *(unsigned function);
// Sets the function that knows the names; install_inspection() does so.
void set_function_names(FunctionNameFunction *function);
// Returns the name of a function, or "an MPI call" if it is unknown.
const char *name_of_function(unsigned function);

// Returns whether a place is in the C library, the library of C++, Fortran or OpenMP, or in this
// one. None of them is to blame for a crash or an exit.
bool is_system_location(const Location &location);

} // namespace thrum
