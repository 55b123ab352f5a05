// Choices that a seed decides (setting `seed`, mpiexec --seed): which rank runs next, which message
// a wildcard receive takes, and so on. Whoever may choose freely asks choose(), and nothing else
// may make the order of the ranks differ between two runs. So the seed, and how many choices were
// made before, determine a run.
//
// Choice 0 is always the plainest: the head of the queue, the first match, no extra step. After the
// first CHOICES choices of SEED:CHOICES all are 0.
#pragma once
#include <cstdint>

namespace thrum {

// Written by follow_seed(). Hidden: the message path reads it without a detour.
[[gnu::visibility("hidden")]] extern constinit bool follows_seed;

inline bool has_seed() {
    return follows_seed;
}

// Begins to follow the seed of the settings, if there is one. Called before ranks run.
void follow_seed();

// Returns a number below `options`: the seed's next choice. Returns 0, and counts no choice, if
// there is only one option or no seed.
uint64_t choose(uint64_t options);

// Returns true for one choice in `times`. The plainest choice is false.
inline bool choose_one_in(uint64_t times) {
    return choose(times) == 1;
}

// Returns how many choices were made.
uint64_t choices_made();

// Returns what choice number `number` of a seed is. All numbers below `options`, which is not 0,
// are equally likely.
uint64_t choice_of_seed(uint64_t seed, uint64_t number, uint64_t options);

} // namespace thrum
