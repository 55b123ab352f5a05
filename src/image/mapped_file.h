// The file behind a mapping, if it is still the same file. A clone's text is mapped from it again;
// another version of the file would be code that does not fit the data.
#pragma once
#include "image/object.h"

namespace thrum {

// Reads /proc/self/maps for the following calls of open_mapped_file().
void read_mappings();

// Opens the file that ld.so has mapped for the private `object`. Returns the descriptor, which the
// caller closes, or -1: the file cannot be opened or has been replaced (a rebuild while the program
// starts).
int open_mapped_file(const Object &object);

} // namespace thrum
