// The random-number generators of a rank (libc/random.h).
#include "libc/random.h"

#include <cerrno>

namespace thrum {
namespace {

// Seeds the generator once: a process that never calls srandom() has the numbers of srandom(1).
void make_ready(RandomState &state) {
    if (state.ready)
        return;
    state.ready = true;
    initstate_r(1, state.table, sizeof state.table, &state.data);
}

// Returns the table in use, as initstate() returns it: glibc's state begins one word before the
// history.
char *current_table(const RandomState &state) {
    return reinterpret_cast<char *>(state.data.state - 1);
}
} // namespace

int next_random(RandomState &state) {
    make_ready(state);
    int32_t result = 0;
    random_r(&state.data, &result);
    return result;
}

void seed_random(RandomState &state, unsigned seed) {
    make_ready(state);
    srandom_r(seed, &state.data);
}

char *use_random_table(RandomState &state, unsigned seed, char *table, size_t size_bytes) {
    make_ready(state);
    char *previous = current_table(state);
    return initstate_r(seed, table, size_bytes, &state.data) == 0 ? previous : nullptr;
}

char *switch_random_table(RandomState &state, char *table) {
    make_ready(state);
    char *previous = current_table(state);
    return setstate_r(table, &state.data) == 0 ? previous : nullptr;
}

} // namespace thrum
