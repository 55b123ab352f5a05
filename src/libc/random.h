// The state of rand(), random(), drand48() and their kin, and the functions on it: the numbers are
// those of glibc, whose reentrant forms do the work.
#pragma once
#include <cstdlib>

namespace thrum {

struct RandomState {
    bool ready = false;
    char table[128] = {}; // glibc's default: 31 words of history
    random_data data = {};
    drand48_data data48 = {};
};

int next_random(RandomState &state);
void seed_random(RandomState &state, unsigned seed);
// initstate(), setstate(): the previous table, or nullptr and errno.
char *use_random_table(RandomState &state, unsigned seed, char *table, size_t size_bytes);
char *switch_random_table(RandomState &state, char *table);

} // namespace thrum
