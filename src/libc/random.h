// The state of rand(), random(), drand48() and related functions, and the functions on it. The
// numbers are those of glibc, whose reentrant forms do the work. random_functions.cc has the
// overrides.
#pragma once
#include <cstdlib>

namespace thrum {

// The generators of one rank. glibc keeps pointers into `table` and `data`, so a state is not
// moved.
struct RandomState {
    bool ready = false;   // `data` is seeded; the first call of any function below does that
    char table[128] = {}; // glibc's default: 31 words of history
    random_data data = {};
    drand48_data data48 = {}; // zeroed, which glibc takes for "not seeded"
};

// Returns the next number of rand() and random(), 0 to RAND_MAX.
int next_random(RandomState &state);
// srand() and srandom().
void seed_random(RandomState &state, unsigned seed);
// initstate() and setstate(): make the program's `table` the state. Return the previous table, or
// nullptr and set errno. The table must stay valid while it is in use.
char *use_random_table(RandomState &state, unsigned seed, char *table, size_t size_bytes);
char *switch_random_table(RandomState &state, char *table);

} // namespace thrum
