// Where a rank has called exit(), or a function of a library that calls it: STOP, ERROR STOP and
// run-time errors of Fortran do.
#pragma once
#include <cstddef>

namespace thrum {

// Writes "at heat.f90:31 in solve", or "in solve (heat)" without debug information, for the
// innermost call from the program on the stack of the caller, who must be inside exit(). Returns
// false if there is none: main has returned, or an interpreter has ended. Starts a process, once
// for each place.
bool describe_exit(char *buffer, size_t size_bytes);

} // namespace thrum
