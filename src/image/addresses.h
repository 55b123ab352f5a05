// Addresses: translates an address of an original into an image, and the reverse. Internal to
// image/; image.h declares what other folders use. An address of a clone is found by arithmetic
// (programs.h, plugin_table.h), without a registry. Nothing here takes a lock or allocates, so all
// of it is safe in a signal handler and in the unwinder.
#pragma once
#include "image/programs.h"

namespace thrum {

// The place of an address in a clone: the image, the object within it, and the same address in the
// original.
struct ClonePlace {
    const Image *image = nullptr; // nullptr: in no clone
    const Object *object = nullptr;
    uintptr_t original = 0;
};

// Returns the place of `address` in a clone or in a rank's copy of a plug-in; `image` is nullptr if
// it is in neither. The originals are no clones.
ClonePlace find_clone(uintptr_t address);

// Returns delta_of() for an object that a rank has opened by dlopen(); 0 if `image` has no copy of
// it.
intptr_t plugin_delta(const Image *image, const Object &object);

// Returns the distance from the original of `object` to its copy in `image` (nullptr: the
// originals, distance 0). With --privatize the text has this distance, but the variables may have
// another: address_in() considers that.
inline intptr_t delta_of(const Image *image, const Object &object) {
    if (object.plugin)
        return plugin_delta(image, object);
    return image ? image->deltas[object.private_index] : 0;
}

// Returns the place in `image` of the data or code at `address` in the original of `object`. Unlike
// translate(), it also works for plug-ins.
uintptr_t address_in(const Image *image, const Object &object, uintptr_t address);

} // namespace thrum
