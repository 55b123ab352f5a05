// Constructors and destructors of the private objects. ld.so runs the constructors of the
// originals, so the ones called here belong to clones and plug-ins. They run on the task of the
// rank, which may suspend in them.
#pragma once
#include "image/programs.h"

namespace thrum {

// Fills program.construction_order with its private objects, dependencies first.
void order_constructors(Program &program);

// Runs DT_INIT and then DT_INIT_ARRAY of the object as `image` has it (nullptr: the original).
void call_constructors(const Image *image, const Object &object, int argc, char **argv,
                       char **environment);
// Runs DT_FINI_ARRAY backwards and then DT_FINI.
void call_destructors(const Image *image, const Object &object);

} // namespace thrum
