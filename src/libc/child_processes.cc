// Other processes: fork, exec, posix_spawn, system, popen and wait, from a rank.
//
// A child of fork() is an ordinary process with one thread and none of our workers. It may call
// exec*() or _exit() and what POSIX allows in between (in_forked_child() makes the overrides use
// the real functions). exec*() by the rank itself would replace all ranks of the process and is
// refused.
//
// To the kernel all children belong to the process. Each rank therefore keeps a list of its own,
// and wait() looks at the children of that list one by one; otherwise one rank would reap the
// children of another. Children reach the list in remember_child() and leave it in forget_child().

#include "libc/child_processes.h"

#include "base/check.h"
#include "base/clock.h"
#include "fiber/unbound.h"
#include "libc/blocking.h"
#include "libc/environment.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/program_files.h"
#include "libc/signals.h"
#include "libc/spawn.h"
#include "libc/standard_descriptors.h"
#include "libc/stdio.h"
#include "libc/streams.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thrum {

LIBC_STATE(ChildProcesses, children_of)

namespace {

char **current_environment() {
    return *current_libc().bound.environment;
}

// Signals are held and the output's locks taken, so that the child begins with neither a handler
// under way nor a lock of a thread that it does not have.
pid_t override_fork() MAY_SUSPEND {
    LibcState &state = current_libc();
    SignalHold hold;
    int standard[3];
    standard_descriptors_of_children(state, standard);
    lock_output_for_fork();
    pid_t pid = ::fork();
    unlock_output_after_fork();
    if (pid == 0) {
        mark_forked_child();
        end_binding();
        children_of(state).all.clear();
        enter_child_descriptors(state, standard); // unfinished lines are the parent's to write
        hand_signals_to_kernel(current_rank_thread());
        // The C library's own functions (execvp's PATH, system) now see this rank's environment.
        ::environ = *state.bound.environment;
    } else if (pid > 0) {
        remember_child(pid);
    }
    return pid;
}

// ---- exec

// Returns whether the caller may execute another program. If not, reports why and sets errno to
// ENOTSUP.
bool may_exec(const char *path) {
    if (in_forked_child())
        return true;
    report("rank %d called exec for %s: it would replace every rank of this process; use fork or "
           "posix_spawn first, or run with one rank per process",
           current_rank().world_rank, path ? path : "a descriptor");
    errno = ENOTSUP;
    return false;
}

int override_execve(const char *path, char *const *argv, char *const *environment) {
    return may_exec(path) ? ::execve(executable_for(path), argv, environment) : -1;
}

int override_execv(const char *path, char *const *argv) {
    return may_exec(path) ? ::execve(executable_for(path), argv, current_environment()) : -1;
}

int override_execvp(const char *file, char *const *argv) {
    return may_exec(file) ? ::execvpe(executable_for(file), argv, current_environment()) : -1;
}

int override_execvpe(const char *file, char *const *argv, char *const *environment) {
    return may_exec(file) ? ::execvpe(executable_for(file), argv, environment) : -1;
}

int override_fexecve(int descriptor, char *const *argv, char *const *environment) {
    return may_exec(nullptr) ? ::fexecve(descriptor, argv, environment) : -1;
}

// Returns the arguments of execl() and related functions, up to and including the null pointer.
std::vector<char *> collect(const char *first, va_list &arguments) {
    std::vector<char *> argv = {const_cast<char *>(first)};
    while (argv.back())
        argv.push_back(va_arg(arguments, char *));
    return argv;
}

int override_execl(const char *path, const char *first, ...) {
    va_list arguments;
    va_start(arguments, first);
    std::vector<char *> argv = collect(first, arguments);
    va_end(arguments);
    return override_execv(path, argv.data());
}

int override_execlp(const char *file, const char *first, ...) {
    va_list arguments;
    va_start(arguments, first);
    std::vector<char *> argv = collect(first, arguments);
    va_end(arguments);
    return override_execvp(file, argv.data());
}

int override_execle(const char *path, const char *first, ...) {
    va_list arguments;
    va_start(arguments, first);
    std::vector<char *> argv = collect(first, arguments);
    char *const *environment = va_arg(arguments, char *const *);
    va_end(arguments);
    return override_execve(path, argv.data(), environment);
}

// ---- posix_spawn, system, popen

// Does what posix_spawn() does, with the rank's view of standard descriptors and signals
// (libc/spawn.cc).
int spawn_and_remember(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *argv,
                       char *const *environment) MAY_SUSPEND {
    pid_t child = 0;
    int error = spawn_for_rank(child, executable_for(path), actions, attributes, argv, environment);
    if (error)
        return error;
    remember_child(child);
    if (pid)
        *pid = child;
    return 0;
}

int override_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const *argv,
                         char *const *environment) MAY_SUSPEND {
    if (in_forked_child())
        return ::posix_spawn(pid, path, actions, attributes, argv, environment);
    return spawn_and_remember(pid, path, actions, attributes, argv, environment);
}

// Returns the path of `file` in the PATH of the rank; the C library would search that of the
// process. Returns `file` itself if it has a slash or is not found.
std::string find_program(const char *file) {
    const char *path = rank_getenv("PATH");
    if (std::strchr(file, '/') || !path)
        return file;
    for (const char *part = path;; ++part) {
        size_t length = std::strcspn(part, ":");
        std::string candidate(part, length);
        candidate += length ? "/" : "./";
        candidate += file;
        if (::access(candidate.c_str(), X_OK) == 0)
            return candidate;
        part += length;
        if (!*part)
            return file;
    }
}

int override_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const *argv,
                          char *const *environment) MAY_SUSPEND {
    if (in_forked_child())
        return ::posix_spawnp(pid, file, actions, attributes, argv, environment);
    std::string path = find_program(file);
    return spawn_and_remember(pid, path.c_str(), actions, attributes, argv, environment);
}

// Starts `sh -c command` with the rank's environment. Returns 0 or an error number.
int spawn_shell(const char *command, const posix_spawn_file_actions_t *actions,
                pid_t &child) MAY_SUSPEND {
    const char *argv[] = {"sh", "-c", command, nullptr};
    return spawn_for_rank(child, "/bin/sh", actions, nullptr, const_cast<char *const *>(argv),
                          current_environment());
}

// The child is not put on the rank's list: only this function waits for it.
int override_system(const char *command) MAY_SUSPEND {
    if (in_forked_child())
        return ::system(command);
    if (!command)
        return 1;
    pid_t child = 0;
    if (int error = spawn_shell(command, nullptr, child)) {
        errno = error;
        return -1;
    }
    int status = -1;
    return wait_for_child(child, &status, 0) == child ? status : -1;
}

// The child is not on the rank's list, so wait() does not reap it before pclose().
FILE *override_popen(const char *command, const char *mode) MAY_SUSPEND {
    bool reads = std::strchr(mode, 'r');
    // Close-on-exec also without "e": a child of another rank would keep the pipe open.
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return nullptr;
    int ours = ends[reads ? 0 : 1], theirs = ends[reads ? 1 : 0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, theirs, reads ? STDOUT_FILENO : STDIN_FILENO);
    pid_t child = 0;
    int error = spawn_shell(command, &actions, child);
    posix_spawn_file_actions_destroy(&actions);
    ::close(theirs);
    FILE *file = error ? nullptr : ::fdopen(ours, reads ? "r" : "w");
    if (!file) {
        ::close(ours);
        errno = error ? error : errno;
        return nullptr;
    }
    remember_file(file);
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    children_of(state).pipes.emplace_back(file, child);
    return file;
}

// Closes the pipe before it waits: the child may wait for the end of its input.
int override_pclose(FILE *file) MAY_SUSPEND {
    LibcState &state = current_libc();
    pid_t child = 0;
    {
        StateGuard guard(state.lock);
        auto at = std::find_if(children_of(state).pipes.begin(), children_of(state).pipes.end(),
                               [file](const auto &pipe) { return pipe.first == file; });
        if (at == children_of(state).pipes.end()) {
            errno = EINVAL;
            return -1;
        }
        child = at->second;
        children_of(state).pipes.erase(at);
        std::erase(streams_of(state).files, file);
    }
    ::fclose(file);
    int status = -1;
    return wait_for_child(child, &status, 0) == child ? status : -1;
}

// ---- wait

// Removes a child that has been reaped. Returns whether its SIGCHLD has been sent.
bool forget_child(LibcState &state, pid_t pid) {
    StateGuard guard(state.lock);
    std::erase(children_of(state).all, pid);
    std::erase_if(children_of(state).stopped,
                  [pid](const auto &told) { return told.first == pid; });
    return std::erase(children_of(state).ended, pid) > 0;
}

// Records that the rank has reaped the child whose end `end` describes. POSIX: its SIGCHLD has been
// generated before that. If the signal thread has not done it, this does.
void note_reaped(LibcState &state, siginfo_t end) {
    end.si_signo = SIGCHLD;
    if (!forget_child(state, end.si_pid) &&
        rank_signals_of(state).state.load(std::memory_order_acquire)) // [signals-1]
        send_to_rank(current_rank(), end);
}

// Returns the same description for a status that wait4() has filled in.
siginfo_t end_of(pid_t pid, int status) {
    siginfo_t end = {};
    end.si_pid = pid;
    end.si_uid = ::getuid();
    end.si_code = WIFEXITED(status) ? CLD_EXITED : WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
    end.si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    return end;
}

// Records that the program has seen a child stop, or go on: the next stop sends SIGCHLD again.
void forget_stop(LibcState &state, pid_t pid) {
    StateGuard guard(state.lock);
    std::erase_if(children_of(state).stopped,
                  [pid](const auto &told) { return told.first == pid; });
}

void add(timeval &sum, const timeval &t) {
    sum.tv_sec += t.tv_sec;
    sum.tv_usec += t.tv_usec;
    if (sum.tv_usec >= 1'000'000) {
        sum.tv_usec -= 1'000'000;
        ++sum.tv_sec;
    }
}

// Adds the usage of a reaped child to what getrusage(RUSAGE_CHILDREN) returns.
void add_usage(LibcState &state, const rusage &usage) {
    StateGuard guard(state.lock);
    if (!children_of(state).usage)
        children_of(state).usage = std::make_unique<rusage>();
    rusage &sum = *children_of(state).usage;
    add(sum.ru_utime, usage.ru_utime);
    add(sum.ru_stime, usage.ru_stime);
    sum.ru_maxrss = std::max(sum.ru_maxrss, usage.ru_maxrss);
    sum.ru_minflt += usage.ru_minflt;
    sum.ru_majflt += usage.ru_majflt;
    sum.ru_inblock += usage.ru_inblock;
    sum.ru_oublock += usage.ru_oublock;
    sum.ru_nvcsw += usage.ru_nvcsw;
    sum.ru_nivcsw += usage.ru_nivcsw;
}

// Returns whether the rank ignores SIGCHLD. POSIX: the children of such a process leave nothing to
// wait for, and wait() fails with ECHILD when the last has ended.
bool discards_children(LibcState &state) {
    const SignalState *signals =
        rank_signals_of(state).state.load(std::memory_order_acquire); // [signals-1]
    return signals && (signals->actions[SIGCHLD].handler == reinterpret_cast<void *>(SIG_IGN) ||
                       (signals->actions[SIGCHLD].flags & SA_NOCLDWAIT));
}

// Returns whether a status of wait4() says that the child has ended.
bool has_ended(int status) {
    return !WIFSTOPPED(status) && !WIFCONTINUED(status);
}

// Returns the rank's children that `pid` means, as waitpid() counts: -1 all, 0 those in its process
// group, below -1 those in group -pid. A number above 0 is returned as it is, also if it is not on
// the list (popen, system).
std::vector<pid_t> children_of(LibcState &state, pid_t pid) {
    std::vector<pid_t> children;
    {
        StateGuard guard(state.lock);
        children = children_of(state).all;
    }
    if (pid > 0)
        return {pid};
    pid_t group = pid == 0 ? ::getpgrp() : -pid;
    if (pid != -1)
        std::erase_if(children, [group](pid_t child) { return ::getpgid(child) != group; });
    return children;
}

// Looks at each of them once, as wait4() with WNOHANG or waitid() does. Returns the pid of the
// first that has something to report, 0 if none has, or -1 and errno if there are none.
template <class Look>
pid_t look_at_children(LibcState &state, const std::vector<pid_t> &children, Look look) {
    pid_t result = -1;
    errno = ECHILD;
    for (pid_t child : children) {
        pid_t pid = look(child);
        if (pid > 0)
            return pid;
        if (pid == 0)
            result = 0;
        else if (errno == ECHILD)
            (void)forget_child(state, child);
        else
            return -1;
    }
    return result;
}

// Descriptors of processes (pidfd), which become readable when these end.
class ProcessDescriptors {
public:
    explicit ProcessDescriptors(const std::vector<pid_t> &processes) {
        for (pid_t process : processes)
            polled_.push_back({static_cast<int>(::syscall(SYS_pidfd_open, process, 0)), POLLIN, 0});
    }

    ~ProcessDescriptors() {
        for (const pollfd &d : polled_)
            if (d.fd >= 0)
                ::close(d.fd);
    }

    ProcessDescriptors(const ProcessDescriptors &) = delete;
    ProcessDescriptors &operator=(const ProcessDescriptors &) = delete;

    bool are_complete() const {
        return std::all_of(polled_.begin(), polled_.end(),
                           [](const pollfd &d) { return d.fd >= 0; });
    }

    int wait() { return ::poll(polled_.data(), polled_.size(), -1); }

private:
    std::vector<pollfd> polled_;
};

// Waits until one of them may have something to report. Returns false if a handler without
// SA_RESTART has run. A single child is waited for in the kernel, with WNOWAIT, so that the caller
// can reap it; several by their descriptors.
bool wait_for_change(const std::vector<pid_t> &children, int options) MAY_SUSPEND {
    constexpr int stops = WUNTRACED | WCONTINUED; // WSTOPPED is WUNTRACED
    auto is_to_go_on = [](int result) {
        return result >= 0 || errno != EINTR || signals_of(current_rank_thread()).restarts;
    };
    if (children.size() == 1)
        return is_to_go_on(blocking("waitpid", [&] {
            siginfo_t info;
            return ::waitid(P_PID, static_cast<id_t>(children[0]), &info,
                            (options & stops) | WEXITED | WNOWAIT);
        }));
    if (!(options & stops)) {
        ProcessDescriptors ends(children);
        if (ends.are_complete())
            return is_to_go_on(blocking("wait", [&] { return ends.wait(); }));
    }
    // Nothing in the kernel waits for one of several to stop.
    constexpr int64_t pause_ns = 2'000'000;
    return !wait_for_signal(now_ns() + pause_ns) || signals_of(current_rank_thread()).restarts;
}

// Does what wait4() does, for the rank's children. Each round takes the list anew, because other
// threads of the rank may reap or start children.
pid_t wait_for(pid_t pid, int *status, int options, rusage *usage) MAY_SUSPEND {
    if (cannot_park())
        return ::wait4(pid, status, options, usage);
    LibcState &state = current_libc();
    int own_status = 0;
    rusage own_usage = {};
    for (;;) {
        std::vector<pid_t> children = children_of(state, pid);
        pid_t result = look_at_children(state, children, [&](pid_t child) {
            return ::wait4(child, &own_status, options | WNOHANG, &own_usage);
        });
        if (result > 0 && has_ended(own_status)) {
            note_reaped(state, end_of(result, own_status));
            add_usage(state, own_usage);
            // Such a child leaves nothing to wait for: the search goes on, or ends if it was this
            // one.
            if (discards_children(state)) {
                if (pid <= 0)
                    continue;
                errno = ECHILD;
                return -1;
            }
        } else if (result > 0) {
            forget_stop(state, result);
        }
        if (result > 0 && status)
            *status = own_status;
        if (result > 0 && usage)
            *usage = own_usage;
        // A program that polls for the end of its children must let other ranks run.
        if (result == 0 && (options & WNOHANG))
            let_others_run();
        if (result != 0 || (options & WNOHANG))
            return result;
        if (!wait_for_change(children, options)) {
            errno = EINTR;
            return -1;
        }
    }
}

// Like wait_for(), but WNOWAIT may leave the child, and the caller chooses what counts as news.
int override_waitid(idtype_t type, id_t id, siginfo_t *info, int options) MAY_SUSPEND {
    if (cannot_park() || type == P_PIDFD) {
        auto wait = [=] {
            return ::waitid(type, id, info, options);
        };
        return cannot_park() || (options & WNOHANG) ? wait() : blocking("waitid", wait);
    }
    LibcState &state = current_libc();
    auto number = static_cast<pid_t>(id);
    pid_t pid = type == P_PID ? number : type == P_ALL ? -1 : -number; // P_PGID 0: its own group
    siginfo_t own = {};
    for (;;) {
        std::vector<pid_t> children = children_of(state, pid);
        rusage usage = {};
        pid_t result = look_at_children(state, children, [&](pid_t child) -> pid_t {
            own = {};
            // The system call itself, for the usage.
            long error = ::syscall(SYS_waitid, P_PID, child, &own, options | WNOHANG, &usage);
            return error ? -1 : own.si_pid;
        });
        bool taken = result > 0 && !(options & WNOWAIT);
        bool ended = own.si_code != CLD_STOPPED && own.si_code != CLD_CONTINUED;
        if (taken && ended) {
            note_reaped(state, own);
            add_usage(state, usage);
        } else if (taken) {
            forget_stop(state, result);
        }
        if (info && result >= 0)
            *info = own;
        if (result != 0 || (options & WNOHANG))
            return result < 0 ? -1 : 0;
        if (!wait_for_change(children, options)) {
            errno = EINTR;
            return -1;
        }
    }
}

pid_t override_waitpid(pid_t pid, int *status, int options) MAY_SUSPEND {
    return wait_for(pid, status, options, nullptr);
}

pid_t override_wait(int *status) MAY_SUSPEND {
    return wait_for(-1, status, 0, nullptr);
}

pid_t override_wait3(int *status, int options, rusage *usage) MAY_SUSPEND {
    return wait_for(-1, status, options, usage);
}

pid_t override_wait4(pid_t pid, int *status, int options, rusage *usage) MAY_SUSPEND {
    return wait_for(pid, status, options, usage);
}

const FunctionOverride table[] = {
    OVERRIDE("fork", override_fork),
    OVERRIDE("vfork", override_fork),
    OVERRIDE("__fork", override_fork),
    OVERRIDE("_Fork", override_fork),
    OVERRIDE("execve", override_execve),
    OVERRIDE("execv", override_execv),
    OVERRIDE("execvp", override_execvp),
    OVERRIDE("execvpe", override_execvpe),
    OVERRIDE("fexecve", override_fexecve),
    OVERRIDE("execl", override_execl),
    OVERRIDE("execlp", override_execlp),
    OVERRIDE("execle", override_execle),
    OVERRIDE("posix_spawn", override_posix_spawn),
    OVERRIDE("posix_spawnp", override_posix_spawnp),
    OVERRIDE("system", override_system),
    OVERRIDE("popen", override_popen),
    OVERRIDE("pclose", override_pclose),
    OVERRIDE("wait", override_wait),
    OVERRIDE("waitpid", override_waitpid),
    OVERRIDE("wait3", override_wait3),
    OVERRIDE("wait4", override_wait4),
    OVERRIDE("waitid", override_waitid),
};

} // namespace

LIBC_FUNCTIONS(table);

void remember_child(pid_t pid) {
    LibcState &state = current_libc();
    {
        StateGuard guard(state.lock);
        children_of(state).all.push_back(pid);
    }
    look_for_ended_children(); // its SIGCHLD may have come before we knew it
}

pid_t wait_for_child(pid_t pid, int *status, int options) {
    return wait_for(pid, status, options, nullptr);
}

} // namespace thrum
