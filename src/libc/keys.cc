// Thread-specific data (pthread_key_create, tss_create): each rank has its own keys. The process's
// keys would be 1,024 for all ranks together. The C library would also call their destructors when
// the thread no longer knows which rank it belongs to.
//
// A rank's keys are a table by number, under LibcState::lock. A thread's values are a thread-local
// array by key; each fiber has its own, since it has its own thread-local storage. A value counts
// only if its serial is that of the key: the number of a deleted key may be used again, and the
// values that threads have kept for the old key must not appear under the new one.
#include "libc/keys.h"

#include "libc/libc_state.h"
#include "libc/signals.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <pthread.h>
#include <threads.h>
#include <vector>

namespace thrum {
namespace {

// One key of a rank.
struct ThreadKey {
    void (*destructor)(void *) = nullptr;
    unsigned serial = 0; // how many keys have had this number
    bool in_use = false;
};

using ThreadKeys = std::vector<ThreadKey>; // by number

LIBC_STATE(ThreadKeys, keys_of)

// What one thread has stored under a key.
struct Value {
    void *pointer;
    unsigned serial; // ThreadKey::serial when it was set
};

// The values of one thread. A plain struct without a destructor, because run_key_destructors()
// frees it at the right moment.
struct Values {
    Value *items = nullptr; // by key
    size_t count = 0;       // of `items`
};

constinit thread_local Values values;

// Returns the key's entry in the rank's table, or nullptr if it is not in use. Under the state's
// lock.
ThreadKey *find_key(LibcState &state, unsigned key) {
    return key < keys_of(state).size() && keys_of(state)[key].in_use ? &keys_of(state)[key]
                                                                     : nullptr;
}

// Makes a key with the lowest free number. Returns 0, or EAGAIN if the rank has PTHREAD_KEYS_MAX.
int create(pthread_key_t *key, void (*destructor)(void *)) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    size_t free = 0;
    while (free < keys_of(state).size() && keys_of(state)[free].in_use)
        ++free;
    if (free == PTHREAD_KEYS_MAX)
        return EAGAIN;
    if (free == keys_of(state).size())
        keys_of(state).push_back({});
    ThreadKey &entry = keys_of(state)[free];
    entry = {destructor, entry.serial + 1, true};
    *key = static_cast<pthread_key_t>(free);
    return 0;
}

int override_key_delete(pthread_key_t key) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    ThreadKey *entry = find_key(state, key);
    if (!entry)
        return EINVAL;
    entry->in_use = false;
    return 0;
}

// Takes no lock if the thread has no value under the key.
void *override_getspecific(pthread_key_t key) {
    if (key >= values.count || !values.items[key].pointer)
        return nullptr;
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    const ThreadKey *entry = find_key(state, key);
    return entry && entry->serial == values.items[key].serial ? values.items[key].pointer : nullptr;
}

// Stores a value of the calling thread. Returns 0, EINVAL for a key that is not in use, or ENOMEM.
// The array is the thread's own, so it grows outside the lock.
int set(pthread_key_t key, const void *pointer) {
    LibcState &state = current_libc();
    unsigned serial = 0;
    {
        StateGuard guard(state.lock);
        const ThreadKey *entry = find_key(state, key);
        if (!entry)
            return EINVAL;
        serial = entry->serial;
    }
    if (key >= values.count) {
        if (!pointer)
            return 0;
        size_t count = key + 8;
        auto *items = static_cast<Value *>(std::calloc(count, sizeof(Value)));
        if (!items)
            return ENOMEM;
        for (size_t i = 0; i < values.count; ++i)
            items[i] = values.items[i];
        std::free(values.items);
        values = {items, count};
    }
    values.items[key] = {const_cast<void *>(pointer), serial};
    return 0;
}

int override_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    return create(key, destructor);
}

int override_setspecific(pthread_key_t key, const void *pointer) {
    return set(key, pointer);
}

int override_tss_create(tss_t *key, tss_dtor_t destructor) {
    return create(key, destructor) == 0 ? thrd_success : thrd_error;
}

void override_tss_delete(tss_t key) {
    override_key_delete(key);
}

int override_tss_set(tss_t key, void *pointer) {
    return set(key, pointer) == 0 ? thrd_success : thrd_error;
}

const FunctionOverride table[] = {
    OVERRIDE("pthread_key_create", override_key_create),
    OVERRIDE("__pthread_key_create", override_key_create),
    OVERRIDE("pthread_key_delete", override_key_delete),
    OVERRIDE("pthread_getspecific", override_getspecific),
    OVERRIDE("__pthread_getspecific", override_getspecific),
    OVERRIDE("pthread_setspecific", override_setspecific),
    OVERRIDE("__pthread_setspecific", override_setspecific),
    OVERRIDE("tss_create", override_tss_create),
    OVERRIDE("tss_delete", override_tss_delete),
    OVERRIDE("tss_get", override_getspecific),
    OVERRIDE("tss_set", override_tss_set),
};

// Takes the calling thread's value under `key` out of its array. Returns the destructor to call, or
// nullptr if there is no value, no destructor, or no such key any longer.
void (*take(size_t key, void *&pointer))(void *) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    Value &value = values.items[key];
    const ThreadKey *entry = find_key(state, static_cast<unsigned>(key));
    pointer = value.pointer;
    value.pointer = nullptr;
    return pointer && entry && entry->serial == value.serial ? entry->destructor : nullptr;
}

} // namespace

LIBC_FUNCTIONS(table);

// POSIX pthread_key_create: destructors may set values again, which are destroyed in a further
// round, up to PTHREAD_DESTRUCTOR_ITERATIONS. The lock is not held while a destructor runs.
void run_key_destructors() {
    bool called = true;
    for (int round = 0; called && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
        called = false;
        for (size_t key = 0; key < values.count; ++key) {
            void *pointer = nullptr;
            if (auto *destructor = take(key, pointer)) {
                destructor(pointer);
                called = true;
            }
        }
    }
    std::free(values.items);
    values = {};
}

} // namespace thrum
