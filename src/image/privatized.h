// Programs compiled with --privatize (compiler/README.md): one text for all ranks, and for each
// rank but the first a block, a copy of the private areas of all modules, at one distance from all
// of them.
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
// objects of another version of the contract. Called after scan_objects(). `several_programs`: an
// MPMD job.
bool is_privatized_program(const Overrides &overrides, bool several_programs);

// Returns whether the code of `object` uses gs base, in whole or in part.
bool is_compiled_for_blocks(const Object &object);

// Finds the range that a library that is_compiled_for_blocks() may write, in the original. Returns
// nullptr, or why it cannot have blocks beside those of the program.
const char *find_private_area(const Object &object, PrivateArea &area);

// The step of capture() for such a program; blocks.h has those of reserve_images() and
// make_image().
void capture_private_areas(const Overrides &overrides);

// True if `address` is in a private area of the originals.
bool is_in_private_area(uintptr_t address);
// Gives the thread-local variables that start as addresses of private data their values in a new
// thread.
void set_thread_locals(uintptr_t distance, char *thread_pointer);

} // namespace thrum
