// Creates and joins libmpi's own threads (own_threads.h). A file of its own, so that tests can have
// other functions in its place.
#include "base/own_threads.h"

#include "base/create_thread.h"
#include "base/tools.h"

#include <dlfcn.h>

namespace thrum {
namespace {

// Returns the C library's function `name`, which is behind those of tools; `usual` with a
// sanitizer, whose run time must see all threads.
template <class Function>
Function *behind_tools(const char *name, Function *usual) {
    void *found = thread_bound_sanitizer() ? nullptr : ::dlsym(RTLD_NEXT, name);
    return found ? reinterpret_cast<Function *>(found) : usual;
}

} // namespace

int create_own_thread(pthread_t *thread, const pthread_attr_t *attributes,
                      void *(*function)(void *), void *argument) {
    static auto *const create = behind_tools("pthread_create", &create_thread);
    return create(thread, attributes, function, argument);
}

void join_own_thread(pthread_t thread) {
    static auto *const join = behind_tools("pthread_join", &::pthread_join);
    join(thread, nullptr);
}

} // namespace thrum
