// Memory for MPI_Alloc_mem that the node's other processes can read with the least cost.
#pragma once
#include <cstddef>

namespace thrum {

// Allocates such memory; nullptr: there is none, and any other memory will do. `alignment` is a
// power of two.
void *fabric_allocate(size_t bytes, size_t alignment);

// The result of releasing memory.
enum class HeapRelease {
    Released,
    NotFromHere,
    NotInUse, // inside this memory, but not the start of an allocation
};
HeapRelease fabric_release(void *memory);

} // namespace thrum
