// Programs beside the process's own (MPI 5.0, section 11.5: mpiexec -n 2 ./a : -n 3 ./b). ld.so
// knows one executable. A further one is mapped here, ld.so loads its libraries, and all slots of
// both are bound here, in the scope that the program would have in a process of its own. Nothing of
// it runs outside of clones.
//
//     load_program     program.cc         the order of the rest
//     map_executable   map_executable.cc  the file, unrelocated
//     load_libraries   libraries.cc       its libraries, with no constructor run
//     bind_program     bind.cc            relocations, by symbol lookup in its own scope
#pragma once
#include "image/programs.h"

namespace thrum {

// Refuses `path`: "PATH cannot run in one process with EXECUTABLE: it REASON. REMEDY."
[[noreturn, gnu::cold, gnu::format(printf, 2, 4)]] void
refuse_program(const char *path, const char *reason, const char *remedy, ...);

// Maps the file at `path`; `entry` becomes the address of its _start in the original.
Object map_executable(const char *path, uintptr_t &entry);

// Appends all libraries of its global scope to program.objects, which has the executable already.
// Loads those that the process does not have yet.
void load_libraries(Program &program);

// Returns the object of an earlier program that is the same as `object`, and that program in
// `earlier`; or nullptr.
const Object *find_in_earlier_program(const Program &program, const Object &object,
                                      const Program **earlier);

// Fills copies and fixups of a program whose template has been filled. `start_main`: see
// load_program().
void bind_program(Program &program, const Overrides &overrides, void *start_main);

} // namespace thrum
