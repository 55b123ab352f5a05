// Constructors and destructors of one private object.
#pragma once
#include "image/clone.h"

namespace thrum {

// DT_INIT and DT_INIT_ARRAY of the object as `image` has it.
void call_constructors(const Image *image, const Object &object, int argc, char **argv,
                       char **environment);
// DT_FINI_ARRAY and DT_FINI.
void call_destructors(const Image *image, const Object &object);

} // namespace thrum
