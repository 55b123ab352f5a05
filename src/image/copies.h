// COPY relocations: variables of libraries that live in the executable, which has referred to them
// directly. ld.so has copied their initial values there and bound everybody to the copy.
#pragma once
#include "image/programs.h"

namespace thrum {

// Finds the copies, and gives those of private variables the fixups of their source: the copy has
// no relocation of its own. Call when the sources' fixups have been collected.
void collect_copies(Template &image_template, GrowingArray<CopiedVariable> &copies);

// Adds those of one copy in `executable`. The template's fixups [0, count) are sorted.
void copy_fixups(Template &image_template, size_t count, const Object &executable,
                 const CopiedVariable &copy);

// The copy of library variable `name`, or nullptr. Aliases (environ, __environ) count.
const CopiedVariable *find_copy(const Program &program, const char *name);

// Takes anew into the template what the C library's constructor has set in copies of its variables
// (program_invocation_name, stdout, ...), except those in `overrides`, which each rank sets itself.
void refresh_copies(Program &program, const Overrides &overrides);

// Makes the pages of [address, address + size_bytes) of `object` part of every image.
void cover_with_data(Template &image_template, const Object &object, uintptr_t address,
                     size_t size_bytes);

} // namespace thrum
