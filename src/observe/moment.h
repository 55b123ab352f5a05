// A moment in two clocks, by which ticks of the time stamp counter are converted to time.
#pragma once
#include "base/clock.h"
#include "observe/observation.h"

namespace thrum::observe {

struct Moment {
    uint64_t ticks;
    int64_t ns; // CLOCK_MONOTONIC
};

// Returns the present one. A thread that loses its core between the two readings tries again.
inline Moment present_moment() {
    constexpr int tries_max = 16;
    constexpr uint64_t close_ticks = 2000; // less than a microsecond
    Moment best{};
    uint64_t best_ticks = ~uint64_t{0};
    for (int i = 0; i < tries_max && best_ticks > close_ticks; ++i) {
        const uint64_t before = now_ticks();
        const int64_t ns = now_ns();
        const uint64_t between = now_ticks() - before;
        if (between < best_ticks) {
            best_ticks = between;
            best = {before + between / 2, ns};
        }
    }
    return best;
}

} // namespace thrum::observe
