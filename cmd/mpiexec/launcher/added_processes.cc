// Spawned processes on one host (launcher/added_processes.h).
#include "launcher/added_processes.h"

#include "plan/hosts.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "start/added_start.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

// Returns whether all names of a comma-separated list mean this machine.
bool are_this_machine(const std::string &hosts) {
    std::istringstream names(hosts);
    for (std::string name; std::getline(names, name, ',');)
        if (!is_this_machine(name))
            return false;
    return true;
}

} // namespace

void AddedProcesses::on_event(const ServerEvent &event) {
    if (event.kind == ServerEvent::Spawn) {
        start(*event.request, event.added_to);
        return;
    }
    for (Process &process : processes_)
        if (process.name_space == event.added_to && process.number == event.process) {
            process.connected |= event.kind == ServerEvent::Connected;
            process.finalized |= event.kind == ServerEvent::Finalized;
        }
}

// Starts all processes of a request, or none, and answers it. The families are recorded first,
// because a process may fail before the others have started.
void AddedProcesses::start(SpawnRequest &request, const std::string &parent) {
    const std::string name_space = fmt::format("{}-{}", job_name_, ++name_spaces_);
    RequestOrigin origin = origin_of(request);
    const int first = origin.first_number;
    int number = 0;
    families_.add(name_space, {parent, std::move(origin.parents)});
    for (const SpawnRequest::Program &program : request.programs)
        if (!are_this_machine(program.hosts))
            return request.answer("", SpawnRequest::Failure::NoSuchHost);
    try {
        // The server must know the processes before they connect.
        server_.announce_added(
            name_space, std::vector<thrum::ProcessPlace>(static_cast<size_t>(request.count())),
            {name_of_this_machine()}, 0);
        for (const SpawnRequest::Program &program : request.programs)
            for (int i = 0; i < program.processes; ++i, ++number)
                start_one(program, name_space, number, first < 0 ? -1 : first + number);
        request.answer(name_space, {});
    } catch (const StartFailure &failure) {
        end_all_of(name_space);
        request.answer("", failure.error == ENOENT ? SpawnRequest::Failure::NotFound
                                                   : SpawnRequest::Failure::NotStarted);
    } catch (const UsageError &error) {
        say("{}", error.what());
        end_all_of(name_space);
        request.answer("", SpawnRequest::Failure::NotStarted);
    }
}

// Kills and reaps the processes of a request that cannot be met.
void AddedProcesses::end_all_of(const std::string &name_space) {
    for (Process &process : processes_)
        if (process.name_space == name_space) {
            kill(process.pid, SIGKILL);
            waitpid(process.pid, nullptr, 0);
            process.has_ended = true;
            --running_;
        }
}

// Starts one process. Throws StartFailure.
void AddedProcesses::start_one(const SpawnRequest::Program &program, const std::string &name_space,
                               int number, int in_job) {
    Started started = start_added(options_, server_, child_mask_, program, name_space, number);
    std::string prefix = prefix_of_added(options_, number);
    processes_.push_back({started.pid, name_space, number, in_job,
                          fmt::format("{} on {}", name_of_added(number, program.arguments[0]),
                                      name_of_this_machine()),
                          Forward(started.out, STDOUT_FILENO, prefix),
                          Forward(started.err, STDERR_FILENO, prefix), std::move(started.status)});
    ++running_;
}

// Its output is read to the end before the end is judged: it may contain the reason.
AddedProcesses::End AddedProcesses::on_end(pid_t pid, int status) {
    auto found = std::find_if(processes_.begin(), processes_.end(), [&](const Process &process) {
        return process.pid == pid && !process.has_ended;
    });
    if (found == processes_.end())
        return {};
    Process &process = *found;
    process.has_ended = true;
    --running_;
    End end;
    end.is_ours = true;
    end.code = exit_code_of(status);
    end.who = {process.name_space, process.in_job};
    end.number = process.number;
    if (!process.out.drain() || !process.err.drain()) {
        end.is_failure = true;
        end.code = 128 + SIGPIPE;
        return end;
    }
    // Its parents wait in MPI_Comm_spawn for its MPI_Init.
    // An end without MPI_Init is a failure, too.
    end.is_failure = WIFSIGNALED(status) || !process.connected || !process.finalized;
    if (!end.is_failure)
        return end;
    const ProcessState state = process.status.state();
    end.others_may_live =
        process.connected && process.in_job >= 0 && !state.is_beginning() && !state.ends_job;
    if (!process.err.has_reason())
        end.reason =
            WIFSIGNALED(status) || process.connected
                ? describe_failure(process.name, status, process.connected, state.last_calls)
                : fmt::format("{} ended without calling MPI_Init; its parents are waiting for it",
                              process.name);
    return end;
}

bool AddedProcesses::handle_errors(const Relative &lost) const {
    return std::ranges::all_of(processes_, [&](const Process &process) {
        return process.has_ended ||
               !families_.are_related({process.name_space, process.in_job}, lost) ||
               (process.connected && process.status.state().handles_errors);
    });
}

void AddedProcesses::count_ranks(bool only_bound, std::map<std::string, int> &ranks_in) const {
    for (const Process &process : processes_) {
        const ProcessState state = process.has_ended ? ProcessState() : process.status.state();
        if (state.is_bound || !only_bound)
            for (const auto &[what, count] : state.ranks_in)
                ranks_in[what] += count;
    }
}

void AddedProcesses::kill_all(int signal, Sender sender) {
    for (Process &process : processes_)
        if (!process.has_ended)
            send_signal(process.pid, signal, sender);
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
