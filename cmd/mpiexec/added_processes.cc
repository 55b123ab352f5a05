#include "added_processes.h"

#include "launch.h"
#include "message.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

std::vector<char *> pointers_to(std::vector<std::string> &texts) {
    std::vector<char *> pointers;
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

void set_variable(std::vector<std::string> &variables, const std::string &name,
                  const std::string &value) {
    std::erase_if(variables, [&](const std::string &item) { return item.starts_with(name + "="); });
    variables.push_back(name + "=" + value);
}

struct StartFailure {
    int error;
};

} // namespace

void AddedProcesses::on_event(const ServerEvent &event) {
    if (event.kind == ServerEvent::Spawn) {
        start(*event.request);
        return;
    }
    for (Process &process : processes_)
        if (process.name_space == event.added_to && process.number == event.process) {
            process.connected |= event.kind == ServerEvent::Connected;
            process.finalized |= event.kind == ServerEvent::Finalized;
        }
}

// All or none.
void AddedProcesses::start(SpawnRequest &request) {
    const std::string name_space = fmt::format("{}-{}", job_name_, ++name_spaces_);
    int number = 0;
    try {
        server_.announce_added(name_space, request.count());
        for (const SpawnRequest::Program &program : request.programs)
            for (int i = 0; i < program.processes; ++i)
                start_one(program, name_space, number++);
        request.answer(name_space, {});
    } catch (const StartFailure &failure) {
        for (Process &process : processes_)
            if (process.name_space == name_space) {
                kill(process.pid, SIGKILL);
                waitpid(process.pid, nullptr, 0);
                process.has_ended = true;
                --running_;
            }
        request.answer("", failure.error == ENOENT ? SpawnRequest::Failure::NotFound
                                                   : SpawnRequest::Failure::NotStarted);
    } catch (const UsageError &error) {
        say("{}", error.what());
        request.answer("", SpawnRequest::Failure::NotStarted);
    }
}

// The descriptors that the process writes to, and that we read from (-1: nothing to forward).
std::pair<int, int> AddedProcesses::make_output(const std::string &name_space, int number,
                                                int own) const {
    if (!options_.output_dir.empty()) {
        std::string path = fmt::format("{}/added{}.rank.{}.{}", options_.output_dir,
                                       name_space.substr(name_space.rfind('-') + 1), number,
                                       own == STDOUT_FILENO ? "out" : "err");
        int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        if (file < 0)
            throw StartFailure{errno};
        return {file, -1};
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        throw StartFailure{errno};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {ends[1], ends[0]};
}

void AddedProcesses::start_one(const SpawnRequest::Program &program, const std::string &name_space,
                               int number) {
    std::vector<std::string> arguments = program.arguments, variables = program.variables;
    for (const std::string &item : variables) // what libpmix would not let be argv[0]
        if (item.starts_with("THRUM_ARGV0="))
            arguments[0] = item.substr(strlen("THRUM_ARGV0="));
    std::erase_if(variables,
                  [](const std::string &item) { return item.starts_with("THRUM_ARGV0="); });
    Options own = options_;
    own.programs = {ProgramSpec()};
    own.programs[0].path = program.path;
    // A server's own environment has not what the program has preloaded.
    std::string preload = preload_list(own);
    for (const std::string &item : variables)
        if (item.starts_with("LD_PRELOAD=") && !getenv("LD_PRELOAD"))
            preload += ":" + item.substr(strlen("LD_PRELOAD="));
    set_variable(variables, "LD_PRELOAD", preload);
    for (const std::string &item : server_.environment_of_added(name_space, number)) {
        size_t equals = item.find('=');
        set_variable(variables, item.substr(0, equals), item.substr(equals + 1));
    }
    set_variable(variables, "LD_BIND_NOW", "1");
    set_variable(variables, "THRUM_LAUNCH_PID", std::string(20, ' '));
    char *launch_pid = variables.back().data() + strlen("THRUM_LAUNCH_PID=");
    std::vector<char *> argv = pointers_to(arguments), envp = pointers_to(variables);
    auto [out, from_out] = make_output(name_space, number, STDOUT_FILENO);
    auto [err, from_err] = make_output(name_space, number, STDERR_FILENO);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC), error_pipe[2];
    if (pipe2(error_pipe, O_CLOEXEC))
        throw StartFailure{errno};
    fflush(nullptr);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) { // only calls that a child of a process with threads may make
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        snprintf(launch_pid, 20, "%d", static_cast<int>(getpid()));
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        sigprocmask(SIG_SETMASK, &child_mask_, nullptr);
        if (program.directory.empty() || !chdir(program.directory.c_str()))
            execve(program.path.c_str(), argv.data(), envp.data());
        int error = errno;
        (void)!write(error_pipe[1], &error, sizeof error);
        _exit(127);
    }
    int error = pid < 0 ? errno : 0;
    for (int fd : {in, out, err, error_pipe[1]})
        close(fd);
    bool failed = pid < 0 || read(error_pipe[0], &error, sizeof error) ==
                                 static_cast<ssize_t>(sizeof error); // else exec has closed it
    close(error_pipe[0]);
    if (failed) {
        if (pid > 0)
            waitpid(pid, nullptr, 0);
        throw StartFailure{error};
    }
    std::string prefix = options_.prefix ? fmt::format("[+{}] ", number) : "";
    processes_.push_back(
        {pid, name_space, number,
         fmt::format("rank {} of those that MPI_Comm_spawn has started ({})", number, arguments[0]),
         Forward(from_out, STDOUT_FILENO, prefix), Forward(from_err, STDERR_FILENO, prefix)});
    ++running_;
}

AddedProcesses::Verdict AddedProcesses::on_end(pid_t pid, int status) {
    auto found = std::find_if(processes_.begin(), processes_.end(), [&](const Process &process) {
        return process.pid == pid && !process.has_ended;
    });
    if (found == processes_.end())
        return {};
    Process &process = *found;
    process.has_ended = true;
    --running_;
    Verdict verdict{true, false, 0, ""};
    if (!process.out.drain() || !process.err.drain())
        return {true, true, 128 + SIGPIPE, ""};
    const bool by_signal = WIFSIGNALED(status);
    verdict.code = by_signal ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    // Its parents wait in MPI_Comm_spawn for its MPI_Init.
    verdict.ends_job = by_signal || !process.connected || !process.finalized;
    if (!verdict.ends_job || process.err.has_reason())
        return verdict;
    const char *signal_name = by_signal ? sigabbrev_np(WTERMSIG(status)) : nullptr;
    verdict.reason =
        by_signal ? fmt::format("{} was ended by signal {} (SIG{})", process.name, WTERMSIG(status),
                                signal_name ? signal_name : "?")
        : process.connected
            ? fmt::format("{} ended with exit code {} without calling MPI_Finalize", process.name,
                          verdict.code)
            : fmt::format("{} has ended without calling MPI_Init, for which its parents wait",
                          process.name);
    return verdict;
}

void AddedProcesses::kill_all(int signal) {
    for (Process &process : processes_)
        if (!process.has_ended)
            kill(process.pid, signal);
}

void AddedProcesses::add_to(std::vector<pollfd> &fds) const {
    for (const Process &process : processes_)
        for (const Forward *stream : {&process.out, &process.err})
            fds.push_back({stream->descriptor(), POLLIN, 0}); // -1: poll() takes no notice
}

bool AddedProcesses::pump(const pollfd *fds) {
    bool ok = true;
    for (Process &process : processes_)
        for (Forward *stream : {&process.out, &process.err})
            if (const pollfd &fd = *fds++; fd.revents && fd.fd >= 0)
                ok &= stream->pump();
    processes_.remove_if([](const Process &process) {
        return process.has_ended && process.out.descriptor() < 0 && process.err.descriptor() < 0;
    });
    return ok;
}

void AddedProcesses::finish() {
    for (Process &process : processes_) {
        process.out.finish();
        process.err.finish();
    }
}

} // namespace mpiexec
