// The threads of libmpi itself.
#pragma once
#include <pthread.h>

namespace thrum {

// Do what pthread_create() and pthread_join() do. A preloaded tool that wraps these, such as
// EZTrace, does not see the thread: it would trace it, and is perhaps not ready for any before
// MPI_Init returns.
int create_own_thread(pthread_t *thread, const pthread_attr_t *attributes,
                      void *(*function)(void *), void *argument);
void join_own_thread(pthread_t thread);

} // namespace thrum
