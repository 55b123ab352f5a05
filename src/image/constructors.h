// Constructors and destructors of one private object.
#pragma once
#include "image/programs.h"

namespace thrum {

// Sorts the private objects, dependencies first (constructors.cc).
void order_constructors(Program &program);

// DT_INIT and DT_INIT_ARRAY of the object as `image` has it.
void call_constructors(const Image *image, const Object &object, int argc, char **argv,
                       char **environment);
// DT_FINI_ARRAY and DT_FINI.
void call_destructors(const Image *image, const Object &object);

} // namespace thrum
