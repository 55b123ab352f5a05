// Addresses of functions and variables in a form that all node processes of a job understand: the
// object (executable or library) and the distance from its beginning. Each process has the object
// at another address.
#pragma once
#include <cstdint>

namespace thrum::bsp {

// Returns the number of an address in an original (image/image.h); 0 if it is in no object that
// ld.so has loaded.
uint64_t shared_address(const void *original);
// Returns the address in this process; nullptr if it has not loaded the object.
void *local_address(uint64_t shared);

} // namespace thrum::bsp
