// The overrides of rand(), random(), drand48() and related functions, on the state of the calling
// rank. In glibc, threads may call rand() and random() at once, so these hold the rank's lock; it
// does not promise that for drand48().
#include "libc/libc_state.h"
#include "libc/random.h"
#include "libc/signals.h"

namespace thrum {
namespace {

LIBC_STATE(RandomState, random_of)

int override_random() {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    return next_random(random_of(state));
}

long override_long_random() {
    return override_random();
}

void override_srandom(unsigned seed) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    seed_random(random_of(state), seed);
}

char *override_initstate(unsigned seed, char *table_memory, size_t size_bytes) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    return use_random_table(random_of(state), seed, table_memory, size_bytes);
}

char *override_setstate(char *table_memory) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    return switch_random_table(random_of(state), table_memory);
}

drand48_data *data48() {
    return &random_of(current_libc()).data48;
}

// The next number of the rank's own sequence, and of one whose state the program keeps in x.
template <class Result, int next(drand48_data *, Result *)>
Result override_next48() {
    Result result;
    next(data48(), &result);
    return result;
}

template <class Result, int next(unsigned short *, drand48_data *, Result *)>
Result override_next48_of(unsigned short x[3]) {
    Result result;
    next(x, data48(), &result);
    return result;
}

void override_srand48(long seed) {
    srand48_r(seed, data48());
}

unsigned short *override_seed48(unsigned short seed[3]) {
    seed48_r(seed, data48());
    return data48()->__old_x;
}

void override_lcong48(unsigned short parameters[7]) {
    lcong48_r(parameters, data48());
}

const FunctionOverride table[] = {
    OVERRIDE("rand", override_random),
    OVERRIDE("srand", override_srandom),
    OVERRIDE("random", override_long_random),
    OVERRIDE("srandom", override_srandom),
    OVERRIDE("initstate", override_initstate),
    OVERRIDE("setstate", override_setstate),
    OVERRIDE("drand48", (override_next48<double, drand48_r>)),
    OVERRIDE("erand48", (override_next48_of<double, erand48_r>)),
    OVERRIDE("lrand48", (override_next48<long, lrand48_r>)),
    OVERRIDE("nrand48", (override_next48_of<long, nrand48_r>)),
    OVERRIDE("mrand48", (override_next48<long, mrand48_r>)),
    OVERRIDE("jrand48", (override_next48_of<long, jrand48_r>)),
    OVERRIDE("srand48", override_srand48),
    OVERRIDE("seed48", override_seed48),
    OVERRIDE("lcong48", override_lcong48),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
