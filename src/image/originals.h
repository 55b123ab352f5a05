// Changes to what ld.so has set up in the originals, which rank 0 runs, and in the shared objects.
#pragma once
#include "image/template.h"

namespace thrum {

// Writes words of an object that may be read-only after relocation (RELRO). The first such write
// makes the range writable; the destructor protects it again.
class SlotWriter {
public:
    explicit SlotWriter(const Object &object) : object_(object) {}

    ~SlotWriter();
    SlotWriter(const SlotWriter &) = delete;
    SlotWriter &operator=(const SlotWriter &) = delete;
    void write(uintptr_t slot, uintptr_t value);

private:
    void protect(int protection);
    const Object &object_;
    bool unprotected_ = false;
};

// Writes the function overrides into the slots of the originals, and of shared libraries that work
// for ranks.
void override_originals(const Overrides &overrides);

// Binds the slots of shared objects that lead into private ones (upcalls.cc). Without thunks the
// originals' functions serve all ranks.
void bind_upcalls(bool with_thunks);
// Does the same for one shared library that is loaded later.
void bind_upcalls_of_library(const Object &library, bool with_thunks);
struct Program; // programs.h
struct Image;
// Binds the functions of a further program that shared objects call. Ranks of other programs keep
// theirs.
void bind_upcalls_of_program(const Program &program);
// Fills the table of a new image, one word for each upcall.
void fill_upcalls(uintptr_t *table, const Image &image);
// The table of the originals. Written when an upcall gets its thunk.
extern uintptr_t originals_upcalls[];
// Returns how many upcalls there are: how much of a table is used.
size_t upcall_count();

} // namespace thrum
