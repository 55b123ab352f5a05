// Shows clones to valgrind, so that it can name their functions and lines.
#pragma once
#include "image/programs.h"

namespace thrum {

// Maps the objects of the image at `base` in the way in which valgrind recognises them, if the
// process runs under valgrind. Call before the image's data is filled. Returns whether it has: then
// text is mapped, and data must be copied and not mapped.
bool map_for_valgrind(const Program &program, int number, char *base);

} // namespace thrum
