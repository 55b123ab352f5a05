// COPY relocations: variables of libraries that live in the executable, because its code refers to
// them directly. ld.so has copied their initial values there and bound all objects to the copy. For
// the clones, each copy is a variable of the executable whose initial value may contain addresses
// that must be moved.
#pragma once
#include "image/programs.h"

namespace thrum {

// Finds the copies of the process's own executable, and gives those of private variables the fixups
// of their source: a copy has no relocations of its own. Call when the sources' fixups have been
// collected.
void collect_copies(Template &image_template, GrowingArray<CopiedVariable> &copies);

// Adds the fixups of one copy in `executable`. The template's fixups [0, count) are sorted; new
// ones are appended.
void copy_fixups(Template &image_template, size_t count, const Object &executable,
                 const CopiedVariable &copy);

// Returns the copy of library variable `name`, or nullptr. Aliases (environ, __environ) are found,
// too.
const CopiedVariable *find_copy(const Program &program, const char *name);

// Takes again into the template what the C library's constructor has set in copies of its variables
// (program_invocation_name, stdout, ...). Variables in `overrides` are left out: each rank sets
// them itself.
void refresh_copies(Program &program, const Overrides &overrides);

// Makes the pages of [address, address + size_bytes) of `object` part of every image, if they are
// not. Call after the template has their bytes.
void cover_with_data(Template &image_template, const Object &object, uintptr_t address,
                     size_t size_bytes);

} // namespace thrum
