// Monotonic time, in nanoseconds, and sleep.
#pragma once
#include <cstdint>
#include <ctime>
#include <unistd.h>

namespace thrum {

inline int64_t now_ns() {
    timespec t;
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

// Sleeps for the whole time, even if signal handlers of the program run during it.
inline void sleep_through(unsigned seconds) {
    while (seconds > 0)
        seconds = ::sleep(seconds);
}

} // namespace thrum
