// Clones: where they are and what an Image is. Internal to image/.
//
// All clones lie side by side in one reservation, a stride apart, so that an address tells its
// clone by a division, and page tables are shared as much as they can be.
#pragma once
#include "image/image.h"
#include "image/template.h"

namespace thrum {

struct Image {
    int number; // of the clone; 0: the originals
    char *base; // nullptr for the originals
    // For each private object, by private_index: what to add to an address of the original.
    // The thunks of upcalls.cc read it.
    const intptr_t *deltas;
};

// More private objects than any program has; the originals' deltas are a constant array.
inline constexpr int private_objects_max = 1000;

Template &the_template();

// Distance from a thread's FS base to its pointer to the current rank's Image (never null).
int32_t current_image_tls_offset();

// The clone that holds an address, the object within it, and the address in the original.
struct ClonePlace {
    int number = 0; // 0: in no clone
    const Object *object = nullptr;
    uintptr_t original = 0;
};

ClonePlace find_clone(uintptr_t address);

// Number of clones reserved; the base of clone `number` (1 ...).
int clone_count();
char *clone_base(int number);

inline intptr_t delta_of(const Image *image, const Object &object) {
    return image ? image->deltas[object.private_index] : 0;
}

// Sorts the private objects, dependencies first (constructors.cc).
void order_constructors();

} // namespace thrum
