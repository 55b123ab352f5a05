// What the compiler calls for each load and store of a program compiled by `mpicc --check`. The
// instrumentation is that of -fsanitize=thread; its functions (compiler-rt's tsan_interface.h names
// them) are ours: they show accesses near buffers of active operations to the MPI library, which
// judges them (src/check/program_accesses_export.cc).
//
// The program may be run by another MPI, or without --check: then there is nothing to look at.
#include "look.h"

#include <string.h>

__attribute__((weak)) const uint32_t *thrum_check_marks(void);

const uint32_t *thrum_check_lines;

// Called by a constructor of each module.
void __tsan_init(void) {
    if (thrum_check_marks && thrum_check_access)
        thrum_check_lines = thrum_check_marks();
}

void __tsan_func_entry(void *place) {
    (void)place;
}

void __tsan_func_exit(void) {}

void __tsan_ignore_thread_begin(void) {}

void __tsan_ignore_thread_end(void) {}

void __tsan_vptr_update(void **address, void *value) {
    (void)value;
    look(address, sizeof *address, 1, PLACE);
}

void __tsan_vptr_read(void **address) {
    look(address, sizeof *address, 0, PLACE);
}

void __tsan_read_range(void *address, unsigned long size) {
    look(address, size, 0, PLACE);
}

void __tsan_write_range(void *address, unsigned long size) {
    look(address, size, 1, PLACE);
}

// Loads and stores of SIZE bytes. Functions called "read_write" are of clang: a store after a load.
#define ACCESSES(SIZE)                                                                             \
    void __tsan_read##SIZE(void *address) {                                                        \
        look(address, SIZE, 0, PLACE);                                                             \
    }                                                                                              \
    void __tsan_write##SIZE(void *address) {                                                       \
        look(address, SIZE, 1, PLACE);                                                             \
    }                                                                                              \
    void __tsan_read_write##SIZE(void *address) {                                                  \
        look(address, SIZE, 1, PLACE);                                                             \
    }                                                                                              \
    void __tsan_volatile_read##SIZE(void *address) {                                               \
        look(address, SIZE, 0, PLACE);                                                             \
    }                                                                                              \
    void __tsan_volatile_write##SIZE(void *address) {                                              \
        look(address, SIZE, 1, PLACE);                                                             \
    }                                                                                              \
    void __tsan_unaligned_read##SIZE(void *address) {                                              \
        look(address, SIZE, 0, PLACE);                                                             \
    }                                                                                              \
    void __tsan_unaligned_write##SIZE(void *address) {                                             \
        look(address, SIZE, 1, PLACE);                                                             \
    }                                                                                              \
    void __tsan_unaligned_read_write##SIZE(void *address) {                                        \
        look(address, SIZE, 1, PLACE);                                                             \
    }                                                                                              \
    void __tsan_unaligned_volatile_read##SIZE(void *address) {                                     \
        look(address, SIZE, 0, PLACE);                                                             \
    }                                                                                              \
    void __tsan_unaligned_volatile_write##SIZE(void *address) {                                    \
        look(address, SIZE, 1, PLACE);                                                             \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

// clang calls these in the place of the C library's.
void *__tsan_memcpy(void *to, const void *from, size_t size) {
    look(from, size, 0, PLACE);
    look(to, size, 1, PLACE);
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
    look(from, size, 0, PLACE);
    look(to, size, 1, PLACE);
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, size_t size) {
    look(to, size, 1, PLACE);
    return memset(to, value, size);
}
