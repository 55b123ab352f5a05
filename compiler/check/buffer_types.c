// What a call of MPI compiled by `mpicc --check` calls with its buffer (types_gcc.cc). The library
// compares the program's type with the datatype (src/check/buffer_types.cc).
#include <malloc.h>
#include <stddef.h>

// The library's, if it is Thrum.
__attribute__((weak)) void thrum_check_buffer(const void *buffer, size_t size_bytes, long count,
                                              void *datatype, void *comm, int root,
                                              const char *description, const void *place);

// Returns the buffer.
void *thrum_check_typed(const void *buffer, size_t size_bytes, long count, void *datatype,
                        void *comm, int root, const char *description) {
    if (thrum_check_buffer)
        thrum_check_buffer(buffer, size_bytes, count, datatype, comm, root, description,
                           __builtin_return_address(0));
    return (void *)buffer;
}

__attribute__((weak)) void thrum_check_free(const void *memory, size_t size_bytes,
                                            const void *place);

// Returns the memory that the program is about to give to free().
void *thrum_check_freed(void *memory) {
    if (memory && thrum_check_free)
        thrum_check_free(memory, malloc_usable_size(memory), __builtin_return_address(0));
    return memory;
}
