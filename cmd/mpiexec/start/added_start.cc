// Environment, streams, fork and exec of a spawned process (start/added_start.h). Everything is
// prepared before fork(): mpiexec has threads of libpmix, so the child may only make
// async-signal-safe calls.
#include "start/added_start.h"

#include "plan/exec_pointers.h"
#include "start/launch.h"
#include "start/program.h"
#include "wireup/origin.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mpiexec {
namespace {

// Replaces or adds NAME=VALUE.
void set_variable(std::vector<std::string> &variables, const std::string &name,
                  const std::string &value) {
    std::erase_if(variables, [&](const std::string &item) { return item.starts_with(name + "="); });
    variables.push_back(name + "=" + value);
}

// Owns a descriptor and closes it, unless it is taken.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}

    Descriptor(Descriptor &&other) noexcept : fd_(other.take()) {}

    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }

    ~Descriptor() { close(); }

    int get() const { return fd_; }

    int take() { return std::exchange(fd_, -1); }

    void close() {
        if (fd_ >= 0)
            ::close(take());
    }

private:
    int fd_;
};

// One output stream of the process: what it writes to, and what we read (none if it is a file).
struct Output {
    Descriptor theirs, ours;
};

// Returns the two ends of a pipe. Throws StartFailure.
Output make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        throw StartFailure{errno};
    return {Descriptor(ends[1]), Descriptor(ends[0])};
}

// Returns the stream `own` (1 or 2) of process `number`: a file of --output-dir, or a pipe.
Output make_output(const Options &options, const std::string &name_space, int number, int own) {
    if (!options.value_of("output_dir").empty()) {
        std::string path = fmt::format("{}/added{}.rank.{}.{}", options.value_of("output_dir"),
                                       name_space.substr(name_space.rfind('-') + 1), number,
                                       own == STDOUT_FILENO ? "out" : "err");
        int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        if (file < 0)
            throw StartFailure{errno};
        return {Descriptor(file), Descriptor()};
    }
    Output output = make_pipe();
    fcntl(output.ours.get(), F_SETFL, O_NONBLOCK);
    return output;
}

} // namespace

// The environment is that of the request, which the library of the parents has made, with what each
// process has of its own: PMIx variables, the status page, its own process number.
Started start_added(const Options &options, WireupServer &server, const sigset_t &child_mask,
                    const SpawnRequest::Program &program, const std::string &name_space,
                    int number) {
    std::vector<std::string> arguments = program.arguments, variables = program.variables;
    for (const std::string &item : variables) // what libpmix would not let be argv[0]
        if (item.starts_with("THRUM_ARGV0="))
            arguments[0] = item.substr(strlen("THRUM_ARGV0="));
    std::erase_if(variables,
                  [](const std::string &item) { return item.starts_with("THRUM_ARGV0="); });
    Options own = options;
    own.programs = {ProgramSpec()};
    own.programs[0].path = program.path;
    // A virtual environment's Python is a link, and knows its packages by the link's name.
    const bool names_a_file = arguments[0].find('/') != std::string::npos;
    own.programs[0].front = front_used_by(names_a_file ? arguments[0] : program.path);
    // A server's own environment has not what the program has preloaded.
    std::string preload = preload_list(own);
    for (const std::string &item : variables)
        if (item.starts_with("LD_PRELOAD=") && !getenv("LD_PRELOAD"))
            preload += ":" + item.substr(strlen("LD_PRELOAD="));
    set_variable(variables, "LD_PRELOAD", preload);
    for (const std::string &item : server.environment_of_added(name_space, number)) {
        size_t equals = item.find('=');
        set_variable(variables, item.substr(0, equals), item.substr(equals + 1));
    }
    StatusFile status = StatusFile::make(count_ranks(options));
    if (const std::string path = status.path(); !path.empty())
        set_variable(variables, "THRUM_STATUS", path);
    set_variable(variables, "LD_BIND_NOW", "1");
    // The child writes its own process number into these blanks: it cannot allocate.
    set_variable(variables, "THRUM_LAUNCH_PID", std::string(20, ' '));
    char *launch_pid = variables.back().data() + strlen("THRUM_LAUNCH_PID=");
    std::vector<char *> argv = exec_pointers(arguments), envp = exec_pointers(variables);
    Output out = make_output(options, name_space, number, STDOUT_FILENO);
    Output err = make_output(options, name_space, number, STDERR_FILENO);
    Output report = make_pipe(); // carries errno if exec fails; exec closes it otherwise
    Descriptor in(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (in.get() < 0)
        throw StartFailure{errno};
    fflush(nullptr);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) { // only calls that a child of a process with threads may make
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        snprintf(launch_pid, 20, "%d", static_cast<int>(getpid()));
        dup2(in.get(), STDIN_FILENO);
        dup2(out.theirs.get(), STDOUT_FILENO);
        dup2(err.theirs.get(), STDERR_FILENO);
        sigprocmask(SIG_SETMASK, &child_mask, nullptr);
        restore_descriptor_limit();
        if (program.directory.empty() || !chdir(program.directory.c_str()))
            execve(program.path.c_str(), argv.data(), envp.data());
        int error = errno;
        (void)!write(report.theirs.get(), &error, sizeof error);
        _exit(127);
    }
    if (pid < 0)
        throw StartFailure{errno};
    report.theirs.close(); // end of file below: exec has closed the other one
    if (int error;
        read(report.ours.get(), &error, sizeof error) == static_cast<ssize_t>(sizeof error)) {
        waitpid(pid, nullptr, 0);
        throw StartFailure{error};
    }
    return {pid, out.ours.take(), err.ours.take(), -1, std::move(status)};
}

RequestOrigin origin_of(const SpawnRequest &request) {
    constexpr std::string_view name = "THRUM_ORIGIN=";
    RequestOrigin origin;
    for (const std::string &item : request.programs.at(0).variables) {
        if (!item.starts_with(name))
            continue;
        std::string job;
        thrum::Origin from;
        if (thrum::parse_origin(std::string_view(item).substr(name.size()), job, from))
            origin = {from.first_process, {from.parents.begin(), from.parents.end()}};
    }
    return origin;
}

std::string name_of_added(int number, const std::string &program) {
    return fmt::format("rank {} of the ranks started by MPI_Comm_spawn ({})", number, program);
}

std::string prefix_of_added(const Options &options, int number) {
    return options.is_on("prefix") ? fmt::format("[+{}] ", number) : "";
}

} // namespace mpiexec
