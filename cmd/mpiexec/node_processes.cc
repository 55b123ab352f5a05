// One loop around poll: signals, the PMIx server's events, output.
//
// Invariants
// 1. The first process that fails gives the job its exit code; the others are then ended. What ends
//    because of that says nothing.
// 2. A process fails when a signal ends it, and, once any process has begun MPI, when it ends
// without
//    having finalized it. Its exit code after that counts, but ends nobody.
// 3. Processes of processes (a shell that runs the program) are ours when their parents have ended,
//    and end with the job.
#include "node_processes.h"

#include "forward.h"
#include "launch.h"
#include "message.h"
#include "watch.h"
#include "wireup_server.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace mpiexec {
namespace {

constexpr int time_limit_exit_code = 124;
constexpr double grace_s = 2; // from a polite request to SIGKILL; between two Ctrl-C

struct Running {
    Running(pid_t p, Forward o, Forward e) : pid(p), out(std::move(o)), err(std::move(e)) {}

    pid_t pid;
    Forward out, err;
    bool has_ended = false;
    bool connected = false; // has begun MPI
    bool finalized = false; // and ended it
};

std::string describe_signal_name(int signal) {
    const char *name = sigabbrev_np(signal);
    return fmt::format("signal {} (SIG{}: {})", signal, name ? name : "?", strsignal(signal));
}

class Launcher {
public:
    Launcher(const Options &options, const Plan &plan, const sigset_t &child_mask)
        : options_(options), plan_(plan), child_mask_(child_mask), job_name_(make_name()),
          server_(job_name_, layout_of(plan), plan.hosts, 0) {}

    Running start(int number);

    WireupServer &server() { return server_; }

private:
    static std::string make_name() {
        return fmt::format("thrum-{}-{:x}", getpid(), static_cast<unsigned>(now_s() * 1e6));
    }

    std::vector<std::string> environment_of(int number);
    std::pair<int, int> make_output(int number, const char *suffix, bool &terminal);
    int open_input(const PlannedProcess &process) const;
    std::string prefix_of(const PlannedProcess &process) const;
    [[noreturn]] void become(const PlannedProcess &process, std::vector<char *> &argv,
                             std::vector<char *> &envp, int in, int out, int err, int error_fd,
                             pid_t parent);

    const Options &options_;
    const Plan &plan_;
    const sigset_t &child_mask_;
    std::string job_name_;
    WireupServer server_;
};

size_t usable_cores() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : static_cast<size_t>(CPU_COUNT(&set));
}

void set_variable(std::vector<std::string> &variables, const std::string &name,
                  const std::string &value) {
    std::erase_if(variables, [&](const std::string &item) { return item.starts_with(name + "="); });
    variables.push_back(name + "=" + value);
}

// The library does for several ranks of a process what is done here for a single one.
std::vector<std::string> Launcher::environment_of(int number) {
    const PlannedProcess &process = plan_.processes[static_cast<size_t>(number)];
    std::vector<std::string> variables;
    for (char **e = environ; *e; ++e)
        variables.emplace_back(*e);
    set_variable(variables, "THRUM_RANKS", std::to_string(process.ranks));
    set_variable(variables, "THRUM_NODE_PROCESSES", encode_layout(layout_of(plan_)));
    set_variable(variables, "THRUM_FIRST_PROGRAM", std::to_string(process.first_program));
    if (process.ranks == 1)
        for (const char *name : {"THRUM_PREFIX", "THRUM_OUTPUT_DIR", "THRUM_STDIN", "THRUM_SPAWN"})
            std::erase_if(variables, [&](const std::string &item) {
                return item.starts_with(std::string(name) + "=");
            });
    if (process.programs.size() > 1)
        set_variable(variables, "THRUM_PROGRAMS", encode_programs(process.programs));
    else
        std::erase_if(variables,
                      [](const std::string &item) { return item.starts_with("THRUM_PROGRAMS="); });
    // Processes that are not bound share the cores.
    if (process.ranks > 1 && options_.workers.empty() && process.processors.empty())
        set_variable(variables, "THRUM_WORKERS",
                     std::to_string(std::max<size_t>(usable_cores() / plan_.processes.size(), 1)));
    Options own = options_;
    own.programs = process.programs;
    set_variable(variables, "LD_PRELOAD", preload_list(own));
    for (const std::string &item : server_.environment_of(number)) {
        size_t equals = item.find('=');
        set_variable(variables, item.substr(0, equals), item.substr(equals + 1));
    }
    return variables;
}

std::string Launcher::prefix_of(const PlannedProcess &process) const {
    if (!options_.prefix || process.ranks > 1)
        return "";
    size_t width = std::to_string(count_ranks(options_) - 1).size();
    return fmt::format("[{:>{}}] ", process.first_rank, width);
}

// The descriptors that the process writes to, and that we read from (-1: nothing to forward).
std::pair<int, int> Launcher::make_output(int number, const char *suffix, bool &terminal) {
    const PlannedProcess &process = plan_.processes[static_cast<size_t>(number)];
    int own = suffix[0] == 'o' ? STDOUT_FILENO : STDERR_FILENO;
    if (!options_.output_dir.empty() && process.ranks == 1) {
        size_t width = std::to_string(count_ranks(options_) - 1).size();
        std::string path = fmt::format("{}/rank.{:0{}}.{}", options_.output_dir, process.first_rank,
                                       width, suffix);
        int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        if (file < 0)
            throw UsageError(2, fmt::format("{}: {}", path, strerror(errno)));
        return {file, -1};
    }
    // Rank 0 may have a dialogue with the user.
    terminal = number == 0 && !options_.prefix && isatty(own);
    if (terminal)
        return {fcntl(own, F_DUPFD_CLOEXEC, 3), -1};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {} (ulimit -n)", strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {ends[1], ends[0]};
}

int Launcher::open_input(const PlannedProcess &process) const {
    const std::string &who = options_.stdin_rank;
    int rank = who.empty() || !isdigit(static_cast<unsigned char>(who[0])) ? 0 : std::stoi(who);
    bool has_rank = rank >= process.first_rank && rank < process.first_rank + process.ranks;
    if (who == "all") { // an opening of its own; only files have that
        int file = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
        struct stat status;
        if (file < 0 || fstat(file, &status) ||
            !(S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)))
            throw UsageError(2, "--stdin all: with several processes standard input must be a file "
                                "(< FILE)");
        return file;
    }
    if (who != "none" && has_rank)
        return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3); // -1: mpiexec itself has none
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// In the child: only calls that a child of a process with threads may make.
void Launcher::become(const PlannedProcess &process, std::vector<char *> &argv,
                      std::vector<char *> &envp, int in, int out, int err, int error_fd,
                      pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    static char launch_pid[32];
    snprintf(launch_pid, sizeof launch_pid, "THRUM_LAUNCH_PID=%d", static_cast<int>(getpid()));
    envp[envp.size() - 2] = launch_pid;
    if (in >= 0)
        dup2(in, STDIN_FILENO);
    else
        close(STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &child_mask_, nullptr);
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (int processor : process.processors)
        CPU_SET(static_cast<size_t>(processor), &processors);
    if (!process.processors.empty())
        sched_setaffinity(0, sizeof processors, &processors);
    const ProgramSpec &spec = process.programs[0];
    if (spec.working_dir.empty() || !chdir(spec.working_dir.c_str()))
        execve(spec.path.c_str(), argv.data(), envp.data());
    int error = errno;
    (void)!write(error_fd, &error, sizeof error);
    _exit(127);
}

Running Launcher::start(int number) {
    const PlannedProcess &process = plan_.processes[static_cast<size_t>(number)];
    const ProgramSpec &spec = process.programs[0];
    std::vector<std::string> variables = environment_of(number);
    std::vector<char *> argv, envp;
    for (const std::string &argument : spec.argv)
        argv.push_back(const_cast<char *>(argument.c_str()));
    for (std::string &variable : variables)
        envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.insert(envp.end(), 2, nullptr);
    bool terminal = false;
    auto [out, from_out] = make_output(number, "out", terminal);
    auto [err, from_err] = make_output(number, "err", terminal);
    int in = open_input(process), error_pipe[2];
    if (pipe2(error_pipe, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {} (ulimit -n)", strerror(errno)));
    fflush(nullptr);
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        throw UsageError(1, fmt::format("cannot start process {} of {}: {} (ulimit -u)", number + 1,
                                        plan_.processes.size(), strerror(errno)));
    if (pid == 0)
        become(process, argv, envp, in, out, err, error_pipe[1], parent);
    for (int fd : {in, out, err, error_pipe[1]})
        close(fd);
    int error = 0; // end of file: exec has closed the pipe
    bool failed = read(error_pipe[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error);
    close(error_pipe[0]);
    if (failed)
        throw UsageError(
            126, fmt::format("{}: {}", spec.path, reason_of_exec_failure(error, ProgramKind::Elf)));
    return {pid, Forward(from_out, STDOUT_FILENO, prefix_of(process)),
            Forward(from_err, STDERR_FILENO, prefix_of(process))};
}

// Kills and reaps what is left of the processes' own children, which are ours now.
void end_orphans() {
    for (;;) {
        std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
        bool found = false;
        for (pid_t pid; list >> pid;) {
            std::ifstream name_file(fmt::format("/proc/{}/comm", pid));
            std::string name;
            std::getline(name_file, name);
            if (name == WireupServer::cleanup_name)
                continue;
            kill(pid, SIGKILL);
            waitpid(pid, nullptr, 0);
            found = true;
        }
        if (!found)
            return;
    }
}

class Supervisor {
public:
    Supervisor(const Options &options, const Plan &plan, Launcher &launcher)
        : options_(options), plan_(plan), server_(launcher.server()) {
        if (options.timeout_s > 0)
            deadline_s_ = now_s() + options.timeout_s;
        sigset_t watched;
        sigprocmask(SIG_BLOCK, nullptr, &watched);
        signal_fd_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
        try {
            for (size_t i = 0; i < plan.processes.size(); ++i)
                processes_.push_back(launcher.start(static_cast<int>(i)));
        } catch (...) {
            kill_all(SIGKILL);
            throw;
        }
        running_ = processes_.size();
    }

    int run() {
        while (running_ > 0) {
            wait();
            take_server_events();
            take_signals();
            reap();
            if (deadline_s_ > 0 && now_s() >= deadline_s_)
                on_deadline();
        }
        end_orphans();
        for (Running &process : processes_) { // what their own children have written until now
            process.out.finish();
            process.err.finish();
        }
        if (timed_out_)
            return time_limit_exit_code;
        return exit_code_;
    }

private:
    void wait();
    void pump(Forward &stream);
    void take_server_events();
    void take_signals();
    void reap();
    void on_end(size_t number, int status);
    void on_signal(const signalfd_siginfo &info);
    void on_deadline();
    void complain_about_waiting();
    std::string name(size_t number) const;

    void kill_all(int signal) {
        for (Running &process : processes_)
            if (!process.has_ended)
                kill(process.pid, signal);
    }

    // The job ends, with `code`, because of process `number`.
    void end_job(int code) {
        if (ending_)
            return;
        ending_ = true;
        exit_code_ = code;
        kill_all(SIGKILL);
    }

    bool anybody_connected() const {
        return std::any_of(processes_.begin(), processes_.end(),
                           [](const Running &process) { return process.connected; });
    }

    const Options &options_;
    const Plan &plan_;
    WireupServer &server_;
    std::vector<Running> processes_;
    size_t running_ = 0;
    int signal_fd_ = -1;
    int exit_code_ = 0;
    double deadline_s_ = 0;
    double last_interrupt_s_ = -1e9;
    bool ending_ = false; // processes that end now say nothing
    bool timed_out_ = false;
    bool killing_ = false; // the deadline is that of a polite request
    int asked_signal_ = 0; // that somebody has sent to the job
};

void Supervisor::wait() {
    std::vector<pollfd> fds{{signal_fd_, POLLIN, 0}, {server_.descriptor(), POLLIN, 0}};
    std::vector<Forward *> streams;
    for (Running &process : processes_)
        for (Forward *stream : {&process.out, &process.err})
            if (stream->descriptor() >= 0) {
                fds.push_back({stream->descriptor(), POLLIN, 0});
                streams.push_back(stream);
            }
    int limit_ms = -1;
    if (deadline_s_ > 0)
        limit_ms = static_cast<int>(std::ceil(std::max(0.0, deadline_s_ - now_s()) * 1000));
    if (poll(fds.data(), fds.size(), std::min(limit_ms, 1 << 30)) <= 0)
        return;
    for (size_t i = 0; i < streams.size(); ++i)
        if (fds[i + 2].revents)
            pump(*streams[i]);
}

void Supervisor::pump(Forward &stream) {
    if (!stream.pump()) // the reader of the output has enough; shells say nothing either
        end_job(128 + SIGPIPE);
}

void Supervisor::take_server_events() {
    for (const ServerEvent &event : server_.take_events()) {
        Running &process = processes_[static_cast<size_t>(event.process)];
        if (event.kind == ServerEvent::Connected)
            process.connected = true;
        if (event.kind == ServerEvent::Finalized)
            process.finalized = true;
        if (event.kind == ServerEvent::Aborted)
            end_job(event.code ? event.code & 255 : 1);
    }
    complain_about_waiting();
}

void Supervisor::take_signals() {
    signalfd_siginfo info;
    while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGPIPE)
            on_signal(info);
}

void Supervisor::on_signal(const signalfd_siginfo &info) {
    auto signal = static_cast<int>(info.ssi_signo);
    bool from_terminal = info.ssi_code == SI_KERNEL;
    if (signal == SIGINT && now_s() - last_interrupt_s_ < grace_s) {
        say("interrupted again; killing the job");
        end_job(128 + SIGINT);
        return;
    }
    if (signal == SIGINT)
        last_interrupt_s_ = now_s();
    if (!from_terminal)
        kill_all(signal);
    asked_signal_ = signal; // they may go on; but who ends by it says nothing
}

std::string Supervisor::name(size_t number) const {
    const PlannedProcess &process = plan_.processes[number];
    int first = process.first_rank, last = first + process.ranks - 1;
    std::string ranks = process.ranks == 1 ? fmt::format("rank {}", first)
                                           : fmt::format("the process of ranks {}-{}", first, last);
    return fmt::format("{} ({} on {})", ranks, process.programs[0].argv[0],
                       plan_.hosts[static_cast<size_t>(process.node)]);
}

void Supervisor::on_end(size_t number, int status) {
    Running &process = processes_[number];
    if (!process.out.drain() || !process.err.drain())
        end_job(128 + SIGPIPE);
    if (ending_)
        return;
    bool by_signal = WIFSIGNALED(status);
    int code = by_signal ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (asked_signal_ && code == 128 + asked_signal_) { // the others have got it, too
        ending_ = killing_ = true;
        exit_code_ = code;
        deadline_s_ = now_s() + grace_s;
        return;
    }
    bool is_failure =
        by_signal || (process.connected ? !process.finalized : code != 0 && anybody_connected());
    if (exit_code_ == 0)
        exit_code_ = code;
    if (!is_failure) {
        complain_about_waiting();
        return;
    }
    // What the library has said is better.
    bool is_told = process.err.has_reason() || (by_signal && WTERMSIG(status) == SIGPIPE);
    if (by_signal && !is_told)
        say("{} was ended by {}{}", name(number), describe_signal_name(WTERMSIG(status)),
            WTERMSIG(status) == SIGKILL
                ? "; if nobody killed it, the machine may have run out of memory (see dmesg)"
                : "");
    else if (!is_told)
        say("{} ended with exit code {} {}", name(number), code,
            process.connected ? "without calling MPI_Finalize" : "before MPI_Init");
    end_job(code ? code : 1);
}

// MPI_Init meets all processes: who has ended without it keeps the others for ever.
void Supervisor::complain_about_waiting() {
    if (ending_ || !anybody_connected())
        return;
    for (size_t i = 0; i < processes_.size(); ++i)
        if (processes_[i].has_ended && !processes_[i].connected) {
            say("{} has ended without calling MPI_Init, for which the other ranks wait", name(i));
            end_job(exit_code_ ? exit_code_ : 1);
            return;
        }
}

void Supervisor::on_deadline() {
    if (killing_) {
        kill_all(SIGKILL);
        deadline_s_ = 0;
        return;
    }
    timed_out_ = killing_ = ending_ = true;
    say("time limit of {} s reached; ending the job", options_.timeout_s);
    kill_all(SIGTERM);
    deadline_s_ = now_s() + grace_s;
}

void Supervisor::reap() {
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return;
        for (size_t i = 0; i < processes_.size(); ++i)
            if (processes_[i].pid == pid && (WIFEXITED(status) || WIFSIGNALED(status))) {
                take_server_events(); // what it has told before its end
                processes_[i].has_ended = true;
                --running_;
                on_end(i, status);
            }
    }
}

} // namespace

int run_node_processes(const Options &options, const Plan &plan, const sigset_t &child_mask) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    set_job_environment(options);
    make_output_directory(options);
    Launcher launcher(options, plan, child_mask);
    return Supervisor(options, plan, launcher).run();
}

} // namespace mpiexec
