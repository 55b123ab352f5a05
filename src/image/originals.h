// Changes to what ld.so has set up in the originals, which rank 0 runs, and in the shared objects.
#pragma once
#include "image/template.h"

namespace thrum {

// Writes words of an object that may be read-only after relocation (RELRO); the destructor protects
// them again.
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

// Writes the function overrides into the originals' slots.
void override_originals(const Overrides &overrides);

// Slots of shared objects that lead into private ones (upcalls.cc). Without thunks the originals'
// functions serve all ranks.
void bind_upcalls(bool with_thunks);
// Does the same for a shared library that is loaded later.
void bind_upcalls_of_library(const Object &library, bool with_thunks);
struct Program; // programs.h
struct Image;
// Binds the functions of a further program that shared objects call. Other programs keep theirs.
void bind_upcalls_of_program(const Program &program);
// Fills the table of a new image.
void fill_upcalls(uintptr_t *table, const Image &image);
extern uintptr_t originals_upcalls[];
size_t upcall_count();

} // namespace thrum
