// Addresses of functions and variables as all node processes of a job understand them: object
// (executable or library) and distance from its beginning, for each process has them elsewhere.
#pragma once
#include <cstdint>

namespace thrum::bsp {

// Of an address in an original (image/image.h); 0: it is in no object that ld.so has loaded.
uint64_t shared_address(const void *original);
// The reverse; nullptr: this process has not loaded the object.
void *local_address(uint64_t shared);

} // namespace thrum::bsp
