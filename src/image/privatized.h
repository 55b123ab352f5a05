// Programs compiled with --privatize (compiler/README.md): all ranks share one text. Each rank but
// the first has a block: a copy of the private areas of all modules, at one distance from all of
// them, which is the rank's gs base.
//
// Invariants
// 1. A private area is what a module may write and ld.so has not made read-only.
// 2. A program is privatised as a whole or not at all: if one of its modules is not, all are
//    cloned, and gs base stays 0.
// 3. Blocks of different modules never overlap, and lie in few large mappings.
#pragma once
#include "image/blocks.h"
#include "image/image.h"
#include "image/object.h"

namespace thrum {

// Returns whether the program is privatised as a whole; libstdc++ then counts as shared. Refuses
// objects of another version of the contract with the compiler. Called after scan_objects().
// `several_programs`: an MPMD job, which is cloned.
bool is_privatized_program(const Overrides &overrides, bool several_programs);

// Returns whether the code of `object` uses gs base, in whole or in part.
bool is_compiled_for_blocks(const Object &object);

// Finds the range that a library may write, in the original, if is_compiled_for_blocks(). Returns
// nullptr, or why it cannot have blocks beside those of the program.
const char *find_private_area(const Object &object, PrivateArea &area);

// Does the part of capture() that is for such a program; blocks.h has those of reserve_images() and
// make_image().
void capture_private_areas(const Overrides &overrides);

// Returns whether `address` is in a private area of the originals.
bool is_in_private_area(uintptr_t address);
// Gives a new thread the values of the thread-local variables that start as addresses of private
// data. The rest of its static TLS is as ld.so has initialised it.
void set_thread_locals(uintptr_t distance, char *thread_pointer);

} // namespace thrum
