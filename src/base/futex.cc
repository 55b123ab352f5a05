#include "base/futex.h"

#include <cerrno>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {

// These are raw system calls: errno belongs to the rank that happens to run here, so it is
// preserved.
void futex_wait(std::atomic<uint32_t> &word, uint32_t expected, int64_t timeout_ns) {
    timespec limit{};
    if (timeout_ns >= 0) {
        limit.tv_sec = static_cast<time_t>(timeout_ns / 1'000'000'000);
        limit.tv_nsec = static_cast<long>(timeout_ns % 1'000'000'000);
    }
    int saved = errno;
    ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, timeout_ns >= 0 ? &limit : nullptr,
              nullptr, 0);
    errno = saved;
}

void futex_wake(std::atomic<uint32_t> &word, int count) {
    int saved = errno;
    ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
    errno = saved;
}

} // namespace thrum
