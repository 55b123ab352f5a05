// How threads are created, and globals registered with AddressSanitizer: one at a time. For both,
// its run time takes memory from one allocator under two different locks (GCC 14), and the
// constructors of a rank register its globals while others create threads. In other programs only
// dlopen() does so beside threads.
#pragma once
#include <cstddef>
#include <pthread.h>

namespace thrum {

// Does what pthread_create() does, for threads of the program; own_threads.h is for those of
// libmpi.
int create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                  void *argument);

// What __asan_register_globals() and __asan_register_elf_globals() of a rank's image become.
void register_globals(void *globals, size_t count);
void register_elf_globals(void *flag, void *start, void *stop);

} // namespace thrum
