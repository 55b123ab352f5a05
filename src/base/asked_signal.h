// How mpiexec tells the processes of a job that the user ends it (Ctrl-C, SIGTERM, the time limit).
// They then print what their ranks are doing. They print nothing at the signals by which mpiexec
// ends the other processes after a failure.
#pragma once
#include <csignal>
#include <sys/types.h>

namespace thrum {

inline constexpr int asked_by_user = 0x7468; // si_value of a signal that mpiexec passes on

// Sends a signal in the name of the user.
inline void send_asked_signal(pid_t process, int signal) {
    sigval value{};
    value.sival_int = asked_by_user;
    if (::sigqueue(process, signal, value) != 0) // too many are pending
        ::kill(process, signal);
}

// Returns whether the user has sent the signal: at the terminal, or by mpiexec.
inline bool is_asked_by_user(const siginfo_t &info) {
    return info.si_code == SI_KERNEL ||
           (info.si_code == SI_QUEUE && info.si_value.sival_int == asked_by_user);
}

} // namespace thrum
