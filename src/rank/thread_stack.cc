// Finds the stack of an OS thread and keeps it in a thread-local variable (rank/thread_stack.h).
#include "rank/thread_stack.h"

#include <cstddef>
#include <pthread.h>

namespace thrum {
namespace {

constinit thread_local ThreadStack own_stack;

} // namespace

const ThreadStack &thread_stack() {
    return own_stack;
}

void find_thread_stack() {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
        return;
    void *address = nullptr;
    size_t size_bytes = 0;
    if (::pthread_attr_getstack(&attributes, &address, &size_bytes) == 0) {
        own_stack.low = reinterpret_cast<uintptr_t>(address);
        own_stack.high = own_stack.low + size_bytes;
    }
    ::pthread_attr_destroy(&attributes);
}

} // namespace thrum
