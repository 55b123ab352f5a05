// Environment, streams, fork and exec of a node process (start/process_start.h). As in
// added_start.cc, all is prepared before fork(), because this process has threads of libpmix.
#include "start/process_start.h"

#include "fiber/usable_cores.h"
#include "plan/exec_pointers.h"
#include "plan/usage_error.h"
#include "start/ending.h"
#include "start/large_arrays.h"
#include "start/launch.h"
#include "start/session.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <fstream>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace mpiexec {
namespace {

rlimit limit_of_children{}; // of open files, before it was raised for mpiexec

// Returns the value of a variable; nullptr: it is not set.
const char *find_variable(const std::vector<std::string> &variables, const std::string &name) {
    const auto item = std::ranges::find_if(
        variables, [&](const std::string &text) { return text.starts_with(name + "="); });
    return item == variables.end() ? nullptr : item->c_str() + name.size() + 1;
}

// Replaces or adds NAME=VALUE.
void set_variable(std::vector<std::string> &variables, const std::string &name,
                  const std::string &value) {
    std::erase_if(variables, [&](const std::string &item) { return item.starts_with(name + "="); });
    variables.push_back(name + "=" + value);
}

} // namespace

void check_descriptors(const Plan &plan, int node) {
    constexpr size_t own = 24, of_each = 4; // output, errors, status page, PMIx
    const auto count = static_cast<size_t>(plan.count_on(node));
    const size_t wanted = own + of_each * count;
    if (getrlimit(RLIMIT_NOFILE, &limit_of_children) != 0 || limit_of_children.rlim_cur >= wanted)
        return;
    if (limit_of_children.rlim_max < wanted)
        throw UsageError(1, fmt::format("{} processes on a host need {} open files in mpiexec, but "
                                        "ulimit -n is {}: raise it, or have fewer processes with "
                                        "more ranks each (--ranks-per-process)",
                                        count, wanted, limit_of_children.rlim_max));
    const rlimit raised{limit_of_children.rlim_max, limit_of_children.rlim_max};
    setrlimit(RLIMIT_NOFILE, &raised);
}

void restore_descriptor_limit() {
    if (limit_of_children.rlim_max)
        setrlimit(RLIMIT_NOFILE, &limit_of_children);
}

Launcher::Launcher(const Options &options, const Plan &plan, int node, const std::string &job_name,
                   const sigset_t &child_mask)
    : options_(options), plan_(plan), node_(node), child_mask_(child_mask),
      server_(job_name, layout_of(plan), plan.hosts, node) {}

std::string make_job_name() {
    return fmt::format("thrum-{}-{:x}", getpid(), static_cast<unsigned>(now_s() * 1e6));
}

std::string prefix_of(const Options &options, const PlannedProcess &process) {
    if (!options.is_on("prefix") || process.ranks > 1)
        return "";
    size_t width = std::to_string(count_ranks(options) - 1).size();
    return fmt::format("[{:>{}}] ", process.first_rank, width);
}

int rank_of_input(const Options &options) {
    const std::string who = options.value_of("stdin");
    if (who == "none" || who == "all")
        return -1;
    return who.empty() ? 0 : std::stoi(who);
}

// Returns the environment of a process. Prefixes, files and input of a process with one rank are
// mpiexec's work, so their variables are removed; with several ranks the library does it.
std::vector<std::string> Launcher::environment_of(int number, const StatusFile &status) {
    const PlannedProcess &process = plan_.processes[static_cast<size_t>(number)];
    std::vector<std::string> variables;
    for (char **e = environ; *e; ++e)
        variables.emplace_back(*e);
    set_variable(variables, "THRUM_RANKS", std::to_string(process.ranks));
    set_variable(variables, "THRUM_NODE_PROCESSES",
                 encode_layout(layout_of(plan_), static_cast<int>(plan_.hosts.size())));
    set_variable(variables, "THRUM_FIRST_PROGRAM", std::to_string(process.first_program));
    if (std::string path = status.path(); !path.empty())
        set_variable(variables, "THRUM_STATUS", path);
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
    if (process.programs.size() == 1)
        for (const std::string &item : process.programs[0].environment)
            set_variable(variables, item.substr(0, item.find('=')),
                         item.substr(item.find('=') + 1));
    // Processes that are not bound share the cores.
    if (process.ranks > 1 && options_.value_of("workers").empty() && process.processors.empty())
        set_variable(variables, "THRUM_WORKERS",
                     std::to_string(std::max(thrum::usable_cores() / plan_.count_on(node_), 1)));
    if (process.programs[0].is_passed || leads_to_dialogue(process.programs[0]))
        set_variable(variables, "THRUM_THROUGH", "1");
    Options own = options_;
    own.programs = process.programs;
    set_variable(variables, "LD_PRELOAD", preload_list(own));
    if (const auto tunables = tunables_for_large_arrays(plan_.ranks_on(node_),
                                                        find_variable(variables, "GLIBC_TUNABLES")))
        set_variable(variables, "GLIBC_TUNABLES", *tunables);
    for (const std::string &item : server_.environment_of(number)) {
        size_t equals = item.find('=');
        set_variable(variables, item.substr(0, equals), item.substr(equals + 1));
    }
    return variables;
}

// Returns the descriptors that the process writes to and that we read from (-1: nothing to
// forward). `suffix` is "out" or "err".
std::pair<int, int> Launcher::make_output(int number, const char *suffix) {
    const PlannedProcess &process = plan_.processes[static_cast<size_t>(number)];
    int own = suffix[0] == 'o' ? STDOUT_FILENO : STDERR_FILENO;
    if (!options_.value_of("output_dir").empty() && process.ranks == 1) {
        size_t width = std::to_string(count_ranks(options_) - 1).size();
        std::string path = fmt::format("{}/rank.{:0{}}.{}", options_.value_of("output_dir"),
                                       process.first_rank, width, suffix);
        int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        if (file < 0)
            throw UsageError(2, fmt::format("{}: {}", path, strerror(errno)));
        return {file, -1};
    }
    // Rank 0 may have a dialogue with the user.
    if (number == 0 && !options_.is_on("prefix") && !plan_.has_agents && isatty(own))
        return {fcntl(own, F_DUPFD_CLOEXEC, 3), -1};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {} (ulimit -n)", strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {ends[1], ends[0]};
}

// Opens the standard input of a process: a file of its own with --stdin all, mpiexec's for the rank
// that reads it (through a pipe if there are agents), else /dev/null.
Launcher::Input Launcher::open_input(const PlannedProcess &process) const {
    int rank = rank_of_input(options_);
    bool has_rank = rank >= process.first_rank && rank < process.first_rank + process.ranks;
    Input input;
    if (options_.value_of("stdin") == "all") { // an opening of its own; only files have that
        int file = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
        struct stat status;
        if (file < 0 || fstat(file, &status) ||
            !(S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)))
            throw UsageError(2, "--stdin all: with several processes standard input must be a file "
                                "(< FILE)");
        input.own = file;
    } else if (has_rank && plan_.has_agents) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC))
            throw UsageError(1, fmt::format("cannot make a pipe: {} (ulimit -n)", strerror(errno)));
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        input = {ends[0], ends[1]};
    } else if (has_rank) {
        input.own = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3); // -1: mpiexec itself has none
    } else {
        input.own = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    return input;
}

// Makes the child the program. Only calls that a child of a process with threads may make.
void Launcher::become(const PlannedProcess &process, const std::vector<char *> &argv,
                      std::vector<char *> &envp, int in, int out, int err, int error_fd,
                      pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before this request: then the signal will not come.
    if (getppid() != parent)
        _exit(1);
    static char launch_pid[32];
    snprintf(launch_pid, sizeof launch_pid, "THRUM_LAUNCH_PID=%d", static_cast<int>(getpid()));
    // start() has left this place free.
    envp[envp.size() - 2] = launch_pid;
    if (in >= 0)
        dup2(in, STDIN_FILENO);
    else
        close(STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(options_.merge_stderr ? out : err, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &child_mask_, nullptr);
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (int processor : process.processors)
        CPU_SET(static_cast<size_t>(processor), &processors);
    if (!process.processors.empty())
        sched_setaffinity(0, sizeof processors, &processors);
    restore_descriptor_limit();
    const ProgramSpec &spec = process.programs[0];
    // Several programs: the library gives each its directory.
    const bool is_alone = process.programs.size() == 1;
    if (!is_alone || spec.working_dir.empty() || !chdir(spec.working_dir.c_str()))
        execve(spec.path.c_str(), argv.data(), envp.data());
    int error = errno;
    (void)!write(error_fd, &error, sizeof error);
    _exit(127);
}

// The last entry of the environment is left free for the child's process number.
Started Launcher::start(int number, StatusFile status) {
    const PlannedProcess &process = plan_.processes[static_cast<size_t>(number)];
    const ProgramSpec &spec = process.programs[0];
    std::vector<std::string> variables = environment_of(number, status);
    std::vector<std::string> arguments = spec.argv;
    if (spec.is_launcher)
        allow_commands_for_ranks(arguments, find_library());
    const std::vector<char *> argv = exec_pointers(arguments);
    std::vector<char *> envp = exec_pointers(variables);
    envp.push_back(nullptr); // room for one more
    auto [out, from_out] = make_output(number, "out");
    auto [err, from_err] = make_output(number, "err");
    Input input = open_input(process);
    int error_pipe[2];
    if (pipe2(error_pipe, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {} (ulimit -n)", strerror(errno)));
    // Otherwise the child would inherit buffered output and write it again.
    fflush(nullptr);
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        throw UsageError(1, fmt::format("cannot start process {} of {}: {} (ulimit -u)", number + 1,
                                        plan_.processes.size(), strerror(errno)));
    if (pid == 0)
        become(process, argv, envp, input.own, out, err, error_pipe[1], parent);
    for (int fd : {input.own, out, err, error_pipe[1]})
        close(fd);
    int error = 0; // end of file: exec has closed the pipe
    bool failed = read(error_pipe[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error);
    close(error_pipe[0]);
    if (failed)
        throw UsageError(126,
                         fmt::format("{}: {}", spec.path, reason_of_exec_failure(error, spec)));
    return {pid, from_out, from_err, input.ours, std::move(status)};
}

} // namespace mpiexec
