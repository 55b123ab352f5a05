// Constructors that only ask the processor what it can do. libgcc adds one, __cpu_indicator_init,
// to every library that uses __builtin_cpu_supports, among them libgfortran. Each of its cpuid
// instructions leaves a virtual machine, 50 us for a rank of a Fortran program. That of compiler-rt
// is not recognised: it is run for each rank, as any other.
#pragma once
#include "image/object.h"

#include <cstddef>

namespace thrum {

// Returns whether the code begins as __cpu_indicator_init does: it returns if a word of `object` is
// set, else it executes cpuid and compares with the makers' names. `bytes`: how many may be read.
bool asks_the_processor(const Object &object, const unsigned char *code, size_t bytes);

// Runs these constructors of the original early, so that the words they set are part of the
// template and those of the clones return at once. They need nothing from the C library: resolvers
// of ifuncs may call them, too.
void ask_the_processor(const Object &object);

} // namespace thrum
