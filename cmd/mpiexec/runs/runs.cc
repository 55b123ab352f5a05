// One loop around poll: signals and the output of runs (runs/runs.h).
#include "runs/runs.h"

#include "plan/exec_pointers.h"
#include "plan/usage_error.h"
#include "start/ending.h"
#include "start/orphans.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

constexpr const char *own_input = "/proc/self/fd/0";

// What a run writes to a stream.
struct Stream {
    int fd = -1;
    std::string text;
    bool is_cut = false;

    Stream() = default;
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    ~Stream() { close_descriptor(); }

    void close_descriptor() {
        if (fd >= 0)
            close(fd);
        fd = -1;
    }

    // Reads what is there, without waiting.
    void pump() {
        char buffer[65536];
        ssize_t size;
        while (fd >= 0 && (size = read(fd, buffer, sizeof buffer)) != 0) {
            if (size < 0 && errno == EINTR)
                continue;
            if (size < 0)
                return; // EAGAIN: the run may write more
            const size_t room = kept_bytes_max - text.size();
            text.append(buffer, std::min(room, static_cast<size_t>(size)));
            is_cut |= room < static_cast<size_t>(size);
        }
        close_descriptor();
    }
};

// Makes a pipe whose reading end does not wait. Returns the writing end. Throws UsageError.
int open_pipe(Stream &stream) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {}", strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    stream.fd = ends[0];
    return ends[1];
}

// Makes standard input what `input` says, in a run.
void open_input(const RunInput &input) {
    int fd = -1;
    if (input.is_file) {
        // Opened again, because runs that share a descriptor share its position.
        const off_t position = lseek(STDIN_FILENO, 0, SEEK_CUR);
        fd = open(own_input, O_RDONLY);
        lseek(fd, position, SEEK_SET);
    }
    if (fd < 0)
        fd = open("/dev/null", O_RDONLY);
    dup2(fd, STDIN_FILENO);
    close(fd);
}

} // namespace

struct Runs::Run {
    int number = 0;
    pid_t pid = 0;
    double started_s = 0;
    Stream out, err;
};

RunInput RunInput::find(std::vector<std::string> &notes) {
    struct stat status;
    if (fstat(STDIN_FILENO, &status) || S_ISCHR(status.st_mode))
        return {}; // closed, a terminal, or /dev/null
    const int fd = S_ISREG(status.st_mode) ? open(own_input, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) {
        notes.push_back("standard input (many runs cannot share a pipe, and read nothing; "
                        "give them a file: < FILE)");
        return {};
    }
    close(fd);
    std::error_code error;
    const std::string path = std::filesystem::read_symlink(own_input, error).string();
    return {true, std::filesystem::exists(path, error) ? path : ""};
}

Runs::Runs(std::string name, std::vector<std::string> words, RunInput input,
           const sigset_t &child_mask, std::string file)
    : name_(std::move(name)), file_(std::move(file)), words_(std::move(words)),
      input_(std::move(input)), child_mask_(child_mask) {
    const sigset_t watched = set_of_watched_signals();
    signal_fd_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1); // what a killed run leaves becomes ours
}

Runs::~Runs() {
    for (auto &run : runs_)
        kill_and_reap(*run);
    end_orphans();
    close(signal_fd_);
}

std::vector<std::string> Runs::arguments_of(const std::vector<std::string> &options) const {
    std::vector<std::string> arguments{name_, "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    if (timeout_s_ > 0)
        arguments.insert(arguments.end(), {"--timeout", fmt::format("{}", timeout_s_)});
    arguments.insert(arguments.end(), words_.begin(), words_.end());
    return arguments;
}

// Makes the child a run, between fork and exec.
void Runs::become_run(const std::vector<std::string> &options, int out, int err, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    open_input(input_);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    const std::vector<std::string> arguments = arguments_of(options);
    sigprocmask(SIG_SETMASK, &child_mask_, nullptr);
    execv(file_.c_str(), exec_pointers(arguments).data());
    dprintf(STDERR_FILENO, "mpiexec: cannot start %s: %s\n", file_.c_str(), strerror(errno));
    _exit(126);
}

void Runs::start(int number, const std::vector<std::string> &options) {
    auto run = std::make_unique<Run>();
    const int out = open_pipe(run->out), err = open_pipe(run->err);
    run->number = number;
    run->started_s = now_s();
    fflush(nullptr); // otherwise the child would inherit buffered output
    const pid_t parent = getpid();
    run->pid = fork();
    if (run->pid == 0)
        become_run(options, out, err, parent);
    const int error = errno;
    close(out);
    close(err);
    if (run->pid < 0)
        throw UsageError(1, fmt::format("cannot start a process: {} (ulimit -u)", strerror(error)));
    setpgid(run->pid, run->pid); // the child does it, too: whoever comes first
    runs_.push_back(std::move(run));
}

// Waits for signals and output, and reads both. Returns false when the time is over.
bool Runs::poll_all(int limit_ms) {
    std::vector<pollfd> fds{{signal_fd_, POLLIN, 0}};
    for (const auto &run : runs_)
        for (const Stream *stream : {&run->out, &run->err})
            fds.push_back({stream->fd, POLLIN, 0});
    if (poll(fds.data(), fds.size(), limit_ms) == 0)
        return false;
    for (auto &run : runs_) {
        run->out.pump();
        run->err.pump();
    }
    take_signals();
    return true;
}

void Runs::take_signals() {
    signalfd_siginfo info;
    while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        const auto signal = static_cast<int>(info.ssi_signo);
        if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT)
            throw Interruption{signal};
    }
}

// Reaps what has ended: runs, and processes that runs have left. Takes one run at a time, so that
// none is lost.
bool Runs::take_ended(Finished &finished) {
    int status;
    rusage usage{}; // of mpiexec and of the processes that it has awaited: those of the job
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &usage)) > 0;) {
        const auto found = std::ranges::find(runs_, pid, [](const auto &run) { return run->pid; });
        if (found == runs_.end())
            continue;
        Run &run = **found;
        run.out.pump();
        run.err.pump();
        finished.number = run.number;
        finished.outcome = {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                            std::move(run.out.text),
                            std::move(run.err.text),
                            run.out.is_cut || run.err.is_cut,
                            now_s() - run.started_s,
                            static_cast<size_t>(usage.ru_maxrss) << 10};
        runs_.erase(found);
        return true;
    }
    return false;
}

bool Runs::wait(int limit_ms, Finished &finished) {
    const double end_s = now_s() + limit_ms / 1e3;
    while (!take_ended(finished)) {
        const double left_s = std::max(0.0, end_s - now_s());
        if (!poll_all(limit_ms < 0 ? -1 : static_cast<int>(left_s * 1e3) + 1))
            return false;
    }
    return true;
}

Outcome Runs::run(const std::vector<std::string> &options) {
    start(0, options);
    Finished finished;
    wait(-1, finished);
    return std::move(finished.outcome);
}

void Runs::kill_after(int number) {
    std::erase_if(runs_, [&](const auto &run) {
        if (run->number > number)
            kill_and_reap(*run);
        return run->number > number;
    });
}

// The job is in the group of its mpiexec; what has left the group is an orphan later.
void Runs::kill_and_reap(Run &run) {
    kill(-run.pid, SIGKILL);
    while (waitpid(run.pid, nullptr, 0) < 0 && errno == EINTR)
        ;
}

} // namespace mpiexec
