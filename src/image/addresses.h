// Addresses: what an address of an original is in an image, and the other way round. Internal to
// image/; image.h has what other folders use. Safe in a signal handler: nothing here takes a lock.
#pragma once
#include "image/programs.h"

namespace thrum {

// The clone that holds an address, the object within it, and the address in the original.
struct ClonePlace {
    const Image *image = nullptr; // nullptr: in no clone
    const Object *object = nullptr;
    uintptr_t original = 0;
};

ClonePlace find_clone(uintptr_t address);

// Returns delta_of() of an object that a rank has opened (plugin.cc).
intptr_t plugin_delta(const Image *image, const Object &object);

// Returns what to add to an address of the original of `object`. Its variables may be elsewhere
// (--privatize).
inline intptr_t delta_of(const Image *image, const Object &object) {
    if (object.plugin)
        return plugin_delta(image, object);
    return image ? image->deltas[object.private_index] : 0;
}

// `address`, which belongs to the original of `object`, as `image` has it.
uintptr_t address_in(const Image *image, const Object &object, uintptr_t address);

} // namespace thrum
