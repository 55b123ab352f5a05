#include "base/create_thread.h"

// AddressSanitizer's run time defines these functions; without it they are null.
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __asan_register_globals(void *, size_t);
[[gnu::weak]] void __asan_register_elf_globals(void *, void *, void *);
}

namespace thrum {
namespace {

// Locked with AddressSanitizer only.
class RegistrationGuard {
public:
    RegistrationGuard() {
        if (__asan_init)
            pthread_mutex_lock(&mutex);
    }

    ~RegistrationGuard() {
        if (__asan_init)
            pthread_mutex_unlock(&mutex);
    }

    RegistrationGuard(const RegistrationGuard &) = delete;
    RegistrationGuard &operator=(const RegistrationGuard &) = delete;

private:
    static pthread_mutex_t mutex;
};

pthread_mutex_t RegistrationGuard::mutex = PTHREAD_MUTEX_INITIALIZER;

} // namespace

int create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                  void *argument) {
    RegistrationGuard guard;
    return ::pthread_create(thread, attributes, function, argument);
}

void register_globals(void *globals, size_t count) {
    RegistrationGuard guard;
    __asan_register_globals(globals, count);
}

void register_elf_globals(void *flag, void *start, void *stop) {
    RegistrationGuard guard;
    __asan_register_elf_globals(flag, start, stop);
}

} // namespace thrum
