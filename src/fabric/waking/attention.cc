// The system calls of Attention. They keep errno: callers may be inside an MPI call of the program.
#include "fabric/waking/attention.h"

#include <cerrno>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {

void Attention::wake() {
    int saved = errno;
    ::syscall(SYS_futex, &state, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    errno = saved;
}

void Attention::sleep(int64_t timeout_ns) {
    timespec limit{static_cast<time_t>(timeout_ns / 1'000'000'000),
                   static_cast<long>(timeout_ns % 1'000'000'000)};
    int saved = errno;
    ::syscall(SYS_futex, &state, FUTEX_WAIT, static_cast<uint32_t>(AttentionState::Listening),
              timeout_ns >= 0 ? &limit : nullptr, nullptr, 0);
    errno = saved;
}

} // namespace thrum
