// Thread-specific data (pthread_key_create, tss_create): each rank has its own keys. The process's
// would be 1,024 for all ranks together, and their destructors run when the thread no longer knows
// whose it is.
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

struct ThreadKey {
    void (*destructor)(void *) = nullptr;
    unsigned serial = 0; // counts the uses of its number
    bool in_use = false;
};

using ThreadKeys = std::vector<ThreadKey>; // by number

LIBC_STATE(ThreadKeys, keys_of)

struct Value {
    void *pointer;
    unsigned serial; // of the key when it was set
};

struct Values {
    Value *items = nullptr; // by key
    size_t count = 0;
};

constinit thread_local Values values;

// The key's entry in the rank's table, or nullptr.
ThreadKey *find_key(LibcState &state, unsigned key) {
    return key < keys_of(state).size() && keys_of(state)[key].in_use ? &keys_of(state)[key]
                                                                     : nullptr;
}

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

void *override_getspecific(pthread_key_t key) {
    if (key >= values.count || !values.items[key].pointer)
        return nullptr;
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    const ThreadKey *entry = find_key(state, key);
    return entry && entry->serial == values.items[key].serial ? values.items[key].pointer : nullptr;
}

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

// Takes the value of `key` if it has a destructor to call.
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
// round.
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
