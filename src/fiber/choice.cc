#include "fiber/choice.h"

#include "base/settings.h"

#include <atomic>

namespace thrum {

constinit bool follows_seed = false;

namespace {

// Threads of the program, and ranks that continue on a spare worker (fiber/watch.h), may choose at
// the same time. Then the run does not follow from the seed alone, and two of them may get the same
// number: the count needs no read-modify-write.
std::atomic<uint64_t> made{0};
uint64_t start_of_seed = 0; // written before ranks run, as `limit`
uint64_t limit = 0;

// Mixes the bits of `x`: a bijection in which each bit depends on all others (xor-shifts and odd
// multipliers, as in splitmix64).
constexpr uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

constexpr uint64_t golden_ratio = 0x9e3779b97f4a7c15u;

// Neighbouring seeds would share most of their numbers if they were not mixed, too.
constexpr uint64_t start_of(uint64_t seed) {
    return mix(seed + golden_ratio);
}

inline uint64_t choice_after(uint64_t start, uint64_t number, uint64_t options) {
    const uint64_t random = mix(start + (number + 1) * golden_ratio);
    return static_cast<uint64_t>(static_cast<unsigned __int128>(random) * options >> 64);
}

} // namespace

uint64_t choice_of_seed(uint64_t seed, uint64_t number, uint64_t options) {
    return choice_after(start_of(seed), number, options);
}

uint64_t choose(uint64_t options) {
    if (options <= 1 || !has_seed())
        return 0;
    const uint64_t number = made.load(std::memory_order_relaxed);
    made.store(number + 1, std::memory_order_relaxed);
    return number < limit ? choice_after(start_of_seed, number, options) : 0;
}

void follow_seed() {
    follows_seed = settings().seed != nullptr;
    start_of_seed = start_of(settings().seed_number);
    limit = settings().seeded_choices;
}

uint64_t choices_made() {
    return made.load(std::memory_order_relaxed);
}

} // namespace thrum
