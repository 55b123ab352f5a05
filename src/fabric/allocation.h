// Memory for MPI_Alloc_mem that the node's other processes can read with the least cost.
#pragma once
#include "fabric/shared_memory/shared_heap.h"

#include <cstddef>

namespace thrum {

// Allocates such memory; nullptr: there is none, and any other memory will do. `alignment` is a
// power of two.
void *fabric_allocate(size_t bytes, size_t alignment);

HeapRelease fabric_release(void *memory);

} // namespace thrum
