// See start/ending.h.
#include "start/ending.h"

#include "base/asked_signal.h"

#include <ctime>

namespace mpiexec {

double now_s() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

sigset_t set_of_watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : watched_signals)
        sigaddset(&set, signal);
    return set;
}

void send_signal(pid_t process, int signal, Sender sender) {
    if (sender == Sender::User)
        thrum::send_asked_signal(process, signal);
    else
        kill(process, signal);
}

sigset_t block_signals() {
    const sigset_t set = set_of_watched_signals();
    sigset_t old;
    sigprocmask(SIG_BLOCK, &set, &old);
    return old;
}

} // namespace mpiexec
