// Memory for MPI_Alloc_mem that other processes of the node read fastest.
#pragma once
#include <cstddef>

namespace thrum {

// nullptr: there is none, and any other memory will do. `alignment` is a power of two.
void *fabric_allocate(size_t bytes, size_t alignment);

enum class HeapRelease {
    Released,
    NotFromHere,
    NotInUse, // from here, but not the beginning of what is allocated
};
HeapRelease fabric_release(void *memory);

} // namespace thrum
