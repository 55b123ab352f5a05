// One loop around poll: signals, the PMIx server's events, the output of spawned processes, and the
// socket, whose end is the end of the process that is served (launcher/serve.h).
#include "launcher/serve.h"

#include "launcher/added_processes.h"
#include "plan/message.h"
#include "start/ending.h"
#include "start/launch.h"

#include <algorithm>
#include <cerrno>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace mpiexec {
namespace {

// Returns what gethostname() says.
std::string name_of_this_host() {
    char name[256] = "localhost";
    gethostname(name, sizeof name - 1);
    return name;
}

// Returns the process at the other end of a socket, or 0.
pid_t process_at(int fd) {
    ucred owner{};
    socklen_t length = sizeof owner;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &owner, &length) ? 0 : owner.pid;
}

// Sends NAME=VALUE, each with a terminating 0, and a second 0 behind the last. Returns false if
// that fails.
bool tell_variables(int fd, const std::vector<std::string> &variables) {
    std::string text;
    for (const std::string &item : variables)
        text += item + '\0';
    text += '\0';
    return send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

// The server with what it has started.
class Served {
public:
    Served(int fd, const sigset_t &child_mask)
        : fd_(fd),
          job_name_(fmt::format("thrum-{}-{:x}", getpid(), static_cast<unsigned>(now_s() * 1e6))),
          server_(job_name_, {thrum::ProcessPlace()}, {name_of_this_host()}, 0),
          added_(options_, server_, job_name_, child_mask) {
        sigset_t watched;
        sigprocmask(SIG_BLOCK, nullptr, &watched);
        signal_fd_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    }

    // Serves until everything has ended. Returns the exit code.
    int run() {
        if (!tell_variables(fd_, server_.environment_of(0)))
            return 1;
        while (is_there_ || added_.running() > 0) {
            wait();
            take_events();
            reap();
        }
        added_.finish();
        return exit_code_ == 0 && has_lost_output() ? 1 : exit_code_;
    }

private:
    void take_events() {
        for (const ServerEvent &event : server_.take_events())
            on_event(event);
    }

    // Waits for something to happen, and handles output, the socket and the end of the grace
    // period.
    void wait() {
        std::vector<pollfd> fds{{signal_fd_, POLLIN, 0},
                                {server_.descriptor(), POLLIN, 0},
                                {is_there_ ? fd_ : -1, POLLIN, 0}};
        const size_t first_stream = fds.size();
        added_.add_to(fds);
        const int limit_ms =
            kill_at_s_ > 0 ? static_cast<int>(std::max(0.0, kill_at_s_ - now_s()) * 1000) + 1 : -1;
        if (poll(fds.data(), fds.size(), limit_ms) <= 0) {
            if (kill_at_s_ > 0 && now_s() >= kill_at_s_) {
                added_.kill_all(SIGKILL);
                kill_at_s_ = 0;
            }
            return;
        }
        signalfd_siginfo info;
        while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        }
        // The process sends nothing there, so this is its end. Its last events come first: they may
        // say that it has finalized MPI.
        if (fds[2].revents) {
            take_events();
            is_there_ = false;
            if (!has_finalized_)
                end_all(1);
        }
        if (!added_.pump(fds.data() + first_stream))
            end_all(128 + SIGPIPE);
    }

    void on_event(const ServerEvent &event) {
        if (event.kind == ServerEvent::Aborted)
            end_all(event.code ? event.code & 255 : 1);
        else if (event.kind == ServerEvent::Spawn || !event.added_to.empty())
            added_.on_event(event);
        else if (event.kind == ServerEvent::Finalized)
            has_finalized_ = true;
        else if (event.kind == ServerEvent::Connected)
            prctl(PR_SET_PDEATHSIG, SIGKILL); // end with our parent: mpiexec, or init
    }

    void reap() {
        int status;
        for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
            take_events(); // what it has told before
            const AddedProcesses::End end = added_.on_end(pid, status);
            if (!end.is_ours || ending_)
                continue;
            if (exit_code_ == 0)
                exit_code_ = end.code;
            if (!end.reason.empty())
                say("{}", end.reason);
            if (end.is_failure) // what the process that is served does is not known
                end_all(end.code ? end.code : 1);
        }
    }

    // Ends the spawned processes and the one that is served. That is not our child: whatever waits
    // for it sees that it was ended by a signal.
    void end_all(int code) {
        if (std::exchange(ending_, true))
            return;
        exit_code_ = code;
        added_.kill_all(SIGTERM); // they write what they have printed
        kill_at_s_ = now_s() + grace_s;
        if (pid_t pid = process_at(fd_); is_there_ && !has_finalized_ && pid > 0)
            kill(pid, SIGTERM);
    }

    Options options_;
    int fd_;
    std::string job_name_;
    WireupServer server_;
    AddedProcesses added_;
    int signal_fd_ = -1;
    int exit_code_ = 0;
    double kill_at_s_ = 0; // when those that were asked to end are killed; 0: nobody was asked
    bool is_there_ = true; // the process that is served has not ended
    bool has_finalized_ = false;
    bool ending_ = false;
};

} // namespace

int run_server(int fd) {
    prctl(PR_SET_NAME, server_name);
    const sigset_t child_mask = block_signals();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setsid(); // Ctrl-C is for the program; its end is what ends us
    return Served(fd, child_mask).run();
}

} // namespace mpiexec
