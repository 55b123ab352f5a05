// The C library of the ranks, for the take-over of the process and, as rank/c_library.h, for the
// life of ranks. The overrides are written into the slots of the program's private objects, not
// exported: the C library, libmpi and other shared libraries keep the real functions.
#pragma once
#include "image/image.h"
#include "rank/c_library.h"

namespace thrum {

// Returns the functions and variables that capture() writes into the program's slots. Allocates
// nothing.
const Overrides &libc_overrides();

// Makes the state of the rank that runs the originals, whose constructors run before any rank
// exists: after capture() (a malloc of the program's would otherwise get into the template) and
// before those constructors, which keep the values of stdout and stderr (std::cout). settings()
// must be read.
void prepare_libc();

CLibrary &libc();

} // namespace thrum
