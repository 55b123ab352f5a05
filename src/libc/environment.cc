// environ and the functions that read and change it, on the rank's own vector.
//
// A new rank's vector shares its strings with all ranks. Programs do cut up what getenv() returned
// (strtok), so getenv() gives the rank a string of its own the first time it finds the shared one.
// 10,000 ranks that never ask share one copy of the text.
//
// Strings and vectors that have been in an environment are never freed, as in glibc: the program
// may hold their addresses. keep_for_ever() tells leak checkers so.
#include "libc/environment.h"

#include "base/check.h"
#include "base/tools.h"
#include "libc/argument_copy.h"
#include "libc/libc_state.h"
#include "libc/signals.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace thrum {
namespace {

// The vectors that a rank's state owns. `environ` may also point to one of the program's own.
struct EnvironmentVector {
    char **made = nullptr; // by setenv(), with room for `capacity` entries
    size_t capacity = 0;
    char **initial = nullptr; // of an added rank: its environment at the start

    ~EnvironmentVector() {
        std::free(made);
        std::free(initial);
    }
};

LIBC_STATE(EnvironmentVector, vector_of)

// The strings that initial ranks share, in [shared_begin, shared_end), and the vector from which
// theirs are copied. Made before there are ranks, and constant from then on.
const char *shared_begin = nullptr;
const char *shared_end = nullptr;
char **shared_vector = nullptr;
size_t shared_count = 0;

bool is_shared(const char *text) {
    return text >= shared_begin && text < shared_end;
}

// Copies `environment`, text and vector, for all initial ranks. Ends the process if there is no
// memory.
void take_shared_strings(char *const *environment) {
    size_t text_bytes = 1;
    for (shared_count = 0; environment && environment[shared_count]; ++shared_count)
        text_bytes += std::strlen(environment[shared_count]) + 1;
    char *text = static_cast<char *>(std::malloc(text_bytes));
    shared_vector = static_cast<char **>(std::malloc((shared_count + 1) * sizeof(char *)));
    CHECK(text && shared_vector, "out of memory for the environment");
    shared_begin = text;
    for (size_t i = 0; i < shared_count; ++i) {
        shared_vector[i] = text;
        text = stpcpy(text, environment[i]) + 1;
    }
    shared_vector[shared_count] = nullptr;
    shared_end = text;
}

// Returns the slot of the variable whose name is the first `length` bytes of `name`, or nullptr.
char **find_slot(char **environment, const char *name, size_t length) {
    for (char **slot = environment; slot && *slot; ++slot)
        if (!std::strncmp(*slot, name, length) && (*slot)[length] == '=')
            return slot;
    return nullptr;
}

bool is_name(const char *name) {
    return name && *name && !std::strchr(name, '=');
}

// Makes room for one more entry in the rank's environment. If `environ` is not a vector of ours
// with room, a larger copy replaces it: the program may have assigned one of its own. Returns false
// if there is no memory.
bool grow_vector(LibcState &state) {
    char **environment = *state.bound.environment;
    size_t count = 0;
    while (environment && environment[count])
        ++count;
    if (environment == vector_of(state).made && count + 2 <= vector_of(state).capacity)
        return true;
    size_t capacity = count * 2 + 8;
    auto **grown = static_cast<char **>(keep_for_ever(std::malloc(capacity * sizeof(char *))));
    if (!grown)
        return false;
    if (count)
        std::memcpy(grown, environment, count * sizeof(char *));
    grown[count] = nullptr;
    // The old vector stays: the program may hold its address (main's third argument).
    vector_of(state).made = grown;
    vector_of(state).capacity = capacity;
    *state.bound.environment = grown;
    return true;
}

// Makes `entry` ("NAME=value") part of the environment, in the place of a variable of that name.
// The entry itself is stored, not a copy. Under the state's lock.
int store_entry(LibcState &state, char *entry, size_t name_length) {
    if (char **slot = find_slot(*state.bound.environment, entry, name_length)) {
        *slot = entry;
        return 0;
    }
    if (!grow_vector(state)) {
        errno = ENOMEM;
        return -1;
    }
    char **slot = *state.bound.environment;
    while (*slot)
        ++slot;
    // In this order, a thread that walks the vector without the lock always finds its end.
    slot[1] = nullptr;
    slot[0] = entry;
    return 0;
}

// Removes every entry of that name. Under the state's lock.
void remove_entries(LibcState &state, const char *name, size_t length) {
    while (char **slot = find_slot(*state.bound.environment, name, length))
        do
            slot[0] = slot[1];
        while (*slot++);
}

char *override_getenv(const char *name) {
    return rank_getenv(name);
}

// Stores a new string "NAME=VALUE"; an old one may still be in use and is not freed.
int override_setenv(const char *name, const char *value, int overwrite) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    LibcState &state = current_libc();
    size_t length = std::strlen(name);
    StateGuard guard(state.lock);
    if (!overwrite && find_slot(*state.bound.environment, name, length))
        return 0;
    size_t value_bytes = std::strlen(value) + 1;
    char *entry = static_cast<char *>(keep_for_ever(std::malloc(length + 1 + value_bytes)));
    if (!entry) {
        errno = ENOMEM;
        return -1;
    }
    std::memcpy(entry, name, length);
    entry[length] = '=';
    std::memcpy(entry + length + 1, value, value_bytes);
    // The old string is not freed: somebody may still hold it (POSIX allows the leak, glibc has
    // it).
    return store_entry(state, entry, length);
}

int override_putenv(char *entry) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    const char *equals = std::strchr(entry, '=');
    if (equals)
        return store_entry(state, entry, static_cast<size_t>(equals - entry));
    remove_entries(state, entry, std::strlen(entry)); // as glibc: "NAME" removes it
    return 0;
}

int override_unsetenv(const char *name) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    remove_entries(state, name, std::strlen(name));
    return 0;
}

int override_clearenv() {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    *state.bound.environment = nullptr;
    return 0;
}

const FunctionOverride table[] = {
    OVERRIDE("getenv", override_getenv),          OVERRIDE("secure_getenv", override_getenv),
    OVERRIDE("__secure_getenv", override_getenv), OVERRIDE("setenv", override_setenv),
    OVERRIDE("putenv", override_putenv),          OVERRIDE("unsetenv", override_unsetenv),
    OVERRIDE("clearenv", override_clearenv),
};

} // namespace

LIBC_FUNCTIONS(table);

void rank_setenv(const char *name, const char *value) {
    override_setenv(name, value, 1);
}

void rank_unsetenv(const char *name) {
    override_unsetenv(name);
}

char *rank_getenv(const char *name) {
    LibcState &state = current_libc();
    size_t length = std::strlen(name);
    StateGuard guard(state.lock);
    char **slot = find_slot(*state.bound.environment, name, length);
    if (!slot)
        return nullptr;
    // The program may write into what getenv() returns.
    if (is_shared(*slot)) {
        char *own = strdup(*slot);
        keep_for_ever(own);
        if (own)
            *slot = own;
    }
    return *slot + length + 1;
}

char **copy_environment(char *const *environment) {
    if (!shared_vector)
        take_shared_strings(environment);
    size_t vector_bytes = (shared_count + 1) * sizeof(char *);
    auto **copy = static_cast<char **>(keep_for_ever(std::malloc(vector_bytes)));
    CHECK(copy, "out of memory for the environment");
    std::memcpy(copy, shared_vector, vector_bytes);
    return copy;
}

void give_environment(LibcState &state, char *const *environment) {
    int count = 0;
    while (environment[count])
        ++count;
    state.variables.environment = vector_of(state).initial = copy_strings(count, environment);
}

} // namespace thrum
