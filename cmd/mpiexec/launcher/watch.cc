// One loop around sigtimedwait: no handlers, no races, no threads (launcher/watch.h).
//
// The child is in mpiexec's process group, so that it may read the terminal and a stop from the
// keyboard stops both. The terminal therefore sends Ctrl-C to both; only what a process sent to
// mpiexec alone is passed on.
#include "launcher/watch.h"

#include "launcher/serve.h"
#include "plan/message.h"
#include "start/ending.h"
#include "start/launch.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

// Waits for a watched signal until `deadline_s` (0: for ever). Returns 0 when the time is over.
int wait_for_signal(double deadline_s, siginfo_t &info) {
    const sigset_t set = set_of_watched_signals();
    for (;;) {
        double left_s = deadline_s > 0 ? std::max(0.0, deadline_s - now_s()) : 0;
        timespec left{
            static_cast<time_t>(left_s),
            static_cast<long>((left_s - static_cast<double>(static_cast<time_t>(left_s))) * 1e9)};
        int signal = deadline_s > 0 ? sigtimedwait(&set, &info, &left) : sigwaitinfo(&set, &info);
        if (signal > 0)
            return signal;
        if (errno == EAGAIN)
            return 0;
    }
}

// Watches one child until it ends.
class Watch {
public:
    Watch(const Child &child, const Options &options) : child_(child), options_(options) {
        if (options.timeout_s > 0)
            deadline_s_ = now_s() + options.timeout_s;
    }

    int run() {
        int status = 0;
        for (;;) {
            siginfo_t info{};
            int signal = wait_for_signal(deadline_s_, info);
            if (signal == 0)
                on_deadline();
            else if (signal != SIGCHLD && signal != SIGPIPE)
                on_signal(signal, info);
            // Asked after every signal: several SIGCHLD may arrive as one.
            pid_t ended = waitpid(child_.pid, &status, WNOHANG);
            if (ended == child_.pid && (WIFEXITED(status) || WIFSIGNALED(status))) {
                remove_image_copies(child_.pid);
                return exit_code(status);
            }
        }
    }

private:
    // At the time limit, asks the job to end; after the grace period, kills it. The library answers
    // SIGTERM with where its ranks are, and ends.
    void on_deadline() {
        if (killing_) {
            kill(child_.pid, SIGKILL);
            deadline_s_ = 0;
            return;
        }
        timed_out_ = killing_ = true;
        say("time limit of {} s reached; ending the job", options_.timeout_s);
        kill(child_.pid, SIGTERM);
        deadline_s_ = now_s() + grace_s;
    }

    // Passes a signal on, unless the terminal has sent it to the child, too. A second Ctrl-C kills.
    void on_signal(int signal, const siginfo_t &info) {
        bool from_terminal = info.si_code == SI_KERNEL;
        if (from_terminal && child_.owns_terminal)
            return;
        if (signal == SIGINT && now_s() - last_interrupt_s_ < grace_s) {
            say("interrupted again; killing the job");
            killed_ = true;
            kill(child_.pid, SIGKILL);
            return;
        }
        if (signal == SIGINT)
            last_interrupt_s_ = now_s();
        if (!from_terminal)
            kill(child_.pid, signal);
    }

    int exit_code(int status) const {
        if (timed_out_)
            return time_limit_exit_code;
        if (WIFSIGNALED(status)) {
            describe_signal(WTERMSIG(status), WCOREDUMP(status));
            return 128 + WTERMSIG(status);
        }
        return WEXITSTATUS(status);
    }

    // Reports a signal that has ended the job. SIGPIPE means that the reader of the output has
    // gone; shells print nothing either.
    void describe_signal(int signal, bool has_core) const {
        // SIGPIPE: the reader of the output has enough; shells say nothing either.
        if (killed_ || signal == SIGPIPE)
            return;
        const char *name = sigabbrev_np(signal);
        const char *hint = "";
        if (signal == SIGKILL)
            hint = "; if nobody killed it, the machine may have run out of memory (see dmesg)";
        if (has_core)
            hint = "; the kernel has written a core file";
        say("{} was ended by signal {} (SIG{}: {}){}", options_.programs[0].argv[0], signal,
            name ? name : "?", strsignal(signal), hint);
    }

    const Child &child_;
    const Options &options_;
    double deadline_s_ = 0;
    double last_interrupt_s_ = -1e9;
    bool killing_ = false; // the job has been asked to end
    bool killed_ = false;  // by us, which was reported
    bool timed_out_ = false;
};

// Returns the server that the program has started (serve.h), which is our child when the program
// has ended; 0: none.
pid_t find_server() {
    std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
    for (pid_t pid; list >> pid;) {
        std::ifstream name_file(fmt::format("/proc/{}/comm", pid));
        std::string name;
        if (std::getline(name_file, name) && name == server_name)
            return pid;
    }
    return 0;
}

// Waits for the processes that MPI_Comm_spawn has started: they belong to the job (serve.h).
// Returns the exit code of the job, given `code` of its first process.
int wait_for_server(int code) {
    pid_t server = find_server();
    if (server == 0)
        return code;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr); // Ctrl-C ends us, and so the server
    int status = 0;
    while (waitpid(server, &status, 0) < 0 && errno == EINTR)
        ;
    const int own = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return own && (code == 0 || code == 128 + SIGTERM) ? own : code;
}

} // namespace

int watch(const Child &child, const Options &options) {
    return wait_for_server(Watch(child, options).run());
}

} // namespace mpiexec
