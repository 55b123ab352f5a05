// A report about ranks that run must not follow pointers that they free meanwhile, and one that a
// signal handler asks for may take no lock. So a child process makes it (call_report.h): fork()
// copies the memory at one instant, and in the copy nothing runs but the report. A lock that a
// thread held at that instant (malloc's) is taken from it: a GuardedRun watches the report. If that
// does not help, the child ends silently; the parent waits and touches nothing.
#include "inspect/call_report.h"

#include "base/check.h"
#include "inspect/merged_snapshot.h"
#include "inspect/snapshot.h"
#include "rank/guarded_run.h"
#include "wireup/wireup.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

constexpr unsigned limit_s = 2;

// Does signal(number, SIG_DFL) by a system call. That of glibc 2.41 takes a lock for SIGABRT, which
// another thread may have held when this copy was made.
void set_default_action(int number) {
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)();
        uint64_t mask;
    } const action{SIG_DFL, 0, nullptr, 0}; // as the kernel has it

    ::syscall(SYS_rt_sigaction, number, &action, nullptr, sizeof action.mask);
}

// Makes the time limit and faults end this process silently: handlers and core files are those of
// the job. The limit comes first, so that nothing can hang without it.
void become_reporter() {
    set_default_action(SIGALRM);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::alarm(limit_s);
    for (int number : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
        set_default_action(number);
    const rlimit no_core = {0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
}

// Prints the lines of the report, to the descriptor `file` (an int), which becomes standard error.
void print_calls(void *file) {
    Snapshot snapshot = take_snapshot();
    snapshot.is_partial = has_other_processes();
    const std::vector<std::string> lines = call_lines(snapshot);
    ::dup2(*static_cast<const int *>(file), STDERR_FILENO);
    for (const std::string &line : lines)
        report("%s", line.c_str());
}

// Writes all bytes, in the child. Ends it if nobody reads them.
void write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(file, bytes.data(), bytes.size());
        if (n <= 0)
            ::_exit(1);
        bytes.remove_prefix(static_cast<size_t>(n));
    }
}

// Writes the snapshot to the descriptor `file`, an int.
void write_calls(void *file) {
    write_all(*static_cast<const int *>(file), snapshot_to_text(take_snapshot()));
}

// Calls the function with the address of a descriptor for what `output` is now, and ends the
// process, which is a copy. The C library's complaints about a half changed heap are not shown.
[[noreturn]] void run_as_reporter(void (*function)(void *), int output) {
    become_reporter();
    int file = ::fcntl(output, F_DUPFD_CLOEXEC, 3);
    ::close(STDERR_FILENO);
    (void)::open("/dev/null", O_WRONLY); // takes the number that has become free
    GuardedRun guard;
    ::_exit(guard.attempt(function, &file) ? 0 : 1);
}

} // namespace

// Copies the process. Not by fork(), which takes malloc's locks. Without an exit signal the
// program's own wait() does not find the child, and no handler of SIGCHLD runs.
static pid_t copy_process() {
    return static_cast<pid_t>(::syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL));
}

// Returns whether the child has got to its end.
static bool has_ended_well(pid_t child) {
    int status = -1;
    while (::waitpid(child, &status, __WALL) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool report_calls() {
    const pid_t child = copy_process();
    if (child < 0)
        return false;
    if (child == 0)
        run_as_reporter(print_calls, STDERR_FILENO);
    return has_ended_well(child);
}

// The child writes to a pipe, which ends with it.
std::string calls_to_text() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return {};
    const pid_t child = copy_process();
    if (child == 0)
        run_as_reporter(write_calls, ends[1]);
    ::close(ends[1]);
    std::string text;
    char part[4096];
    for (ssize_t n; child > 0 && (n = ::read(ends[0], part, sizeof part)) != 0;)
        if (n > 0)
            text.append(part, static_cast<size_t>(n));
        else if (errno != EINTR)
            break;
    ::close(ends[0]);
    return child > 0 && has_ended_well(child) ? text : std::string();
}

} // namespace thrum
