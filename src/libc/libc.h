// The C library of the ranks, as the take-over of the process needs it (start_export.cc), and, as
// rank/c_library.h, as the life of ranks needs it.
//
// The overrides are written into the slots of the program's private objects, not exported: the C
// library, libmpi and other shared libraries keep the real functions.
#pragma once
#include "image/image.h"
#include "rank/c_library.h"

namespace thrum {

// Returns the functions and variables that capture() writes into the program's slots. Allocates
// nothing.
const Overrides &libc_overrides();

// Makes the state of the rank that runs the originals, whose constructors run before any rank
// exists. Must be called
// - after capture(): otherwise the data of a malloc of the program's would get into the template;
// - before those constructors, which keep the values of stdout and stderr (std::cout);
// - after the settings are read.
void prepare_libc();

// Returns the implementation of rank/c_library.h, for set_c_library().
CLibrary &libc();

} // namespace thrum
