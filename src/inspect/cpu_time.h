// How long the calling thread has run: what a watch takes of the time, without its sleeps and
// without the time in which others had the core.
#pragma once
#include <cstdint>
#include <ctime>

namespace thrum {

inline int64_t thread_cpu_ns() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace thrum
