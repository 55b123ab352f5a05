// Counts what each rank's program allocates, for the observer. Only in jobs that are observed: in
// others the program calls the C library's functions.
#pragma once
#include "image/image.h"

namespace thrum {

// Appends the overrides of malloc(), free() and their like to the `count` functions that are there.
// Returns how many there are then. Allocates nothing.
size_t add_heap_functions(FunctionOverride *functions, size_t count, size_t count_max);

} // namespace thrum
