// The file behind a mapping, if it is still the same file.
#pragma once
#include "image/object.h"

namespace thrum {

// Reads /proc/self/maps for the calls of open_mapped_file() that follow.
void read_mappings();

// Opens the file that ld.so has mapped for the private `object`; -1 if it cannot be opened or has
// been replaced since (a rebuild while the program starts).
int open_mapped_file(const Object &object);

} // namespace thrum
