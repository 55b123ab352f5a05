// One loop around poll: messages of mpiexec, events of the PMIx server, output and ends of
// processes (agents/agent.h). The agent makes only one decision: without mpiexec there is no job.
//
// Its life: greet, wait for Word::Start, make the same plan as mpiexec, start the processes of its
// node, report Ready, loop, and at the end send the remaining output.
#include "agents/agent.h"

#include "agents/added_group.h"
#include "agents/host_observations.h"
#include "agents/job_description.h"
#include "agents/link.h"
#include "plan/message.h"
#include "plan/placement.h"
#include "plan/usage_error.h"
#include "server/complete_message.h"
#include "server/published_names.h"
#include "start/added_start.h"
#include "start/ending.h"
#include "start/launch.h"
#include "start/orphans.h"
#include "start/process_start.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <memory>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace mpiexec {
namespace {

constexpr size_t unsent_bytes_max = 1 << 20; // above it no output is read: processes wait

// The processes of one node, and the link to mpiexec.
class Agent {
public:
    Agent(Link &link, JobDescription job, const sigset_t &child_mask, int signal_fd);
    void run();

private:
    struct Process {
        int number; // in the job
        Started streams;
        std::string name_space; // of a spawned one; "": the job's own
        int number_there = 0;   // in that name space
        bool has_ended = false;
    };

    void start();
    void wait();
    void take_messages();
    void obey(const Message &message);
    void start_added_processes(const Message &message);
    int start_group(const AddedGroup &group);
    int number_in_job(const ServerEvent &event) const;
    void signal_all(int signal, Sender sender = Sender::Mpiexec);
    void feed();
    void take_events();
    void reap();
    void forward(Process &process);
    void forward(const Process &process, int descriptor, int &from);
    void end_processes();
    void end();
    Process *reader();

    Link &link_;
    JobDescription job_;
    std::string picture_; // before the plan, which writes it
    Plan plan_;
    Launcher launcher_;
    int signal_fd_;
    const sigset_t &child_mask_;
    HostObservations observations_;
    std::vector<Process> processes_;
    std::map<int, std::shared_ptr<SpawnRequest>> asked_; // by number of the question
    int last_question_ = 0;
    std::string input_; // standard input that the process has not read
    bool input_ends_ = false;
    bool is_stopped_ = false; // with mpiexec, whose silence means nothing then
    bool ending_ = false;
    double last_look_s_ = 0;
};

// Returns the name of this host, as the user has written it.
const std::string &host_of(const JobDescription &job, const Plan &plan) {
    return plan.hosts[static_cast<size_t>(job.node)];
}

// Returns the plan, with the places of this node's processes. Throws UsageError.
Plan plan_for(const JobDescription &job, std::string &picture) {
    Plan plan = make_plan(job.options);
    check_descriptors(plan, job.node);
    picture = place(job.options, plan, job.node);
    return plan;
}

Agent::Agent(Link &link, JobDescription job, const sigset_t &child_mask, int signal_fd)
    : link_(link), job_(std::move(job)), plan_(plan_for(job_, picture_)),
      launcher_(job_.options, plan_, job_.node, job_.job_name, child_mask), signal_fd_(signal_fd),
      child_mask_(child_mask), observations_(job_.options), last_look_s_(now_s()) {
    if (!picture_.empty())
        link_.send({Word::Notice, 0, 0, picture_});
}

// Starts this node's processes. Throws UsageError that names the host if a directory or program is
// missing here.
void Agent::start() {
    make_output_directory(job_.options);
    for (size_t i = 0; i < plan_.processes.size(); ++i) {
        const PlannedProcess &process = plan_.processes[i];
        if (process.node != job_.node)
            continue;
        for (const ProgramSpec &spec : process.programs) {
            const std::string &host = host_of(job_, plan_);
            const std::string &directory =
                spec.working_dir.empty() ? job_.directory : spec.working_dir;
            if (chdir(directory.c_str()))
                throw UsageError(
                    2, fmt::format("host {}: {}: {} (choose another directory with --wdir)", host,
                                   directory, strerror(errno)));
            if (access(spec.path.c_str(), X_OK))
                throw UsageError(errno == ENOENT ? 127 : 126,
                                 fmt::format("host {}: {}: {}", host, spec.path, strerror(errno)));
        }
        processes_.push_back(
            {static_cast<int>(i),
             launcher_.start(static_cast<int>(i), StatusFile::make(count_ranks(job_.options))),
             ""});
    }
    link_.send({Word::Ready});
}

// Starts the processes and serves them until the job ends. If one cannot be started, kills the
// others.
void Agent::run() {
    try {
        start();
    } catch (...) {
        signal_all(SIGKILL);
        throw;
    }
    while (!ending_) {
        wait();
        take_messages();
        feed();
        take_events();
        for (Process &process : processes_)
            forward(process);
        reap();
    }
    end();
}

// Waits until something happens, for a second at most, so that silence is noticed.
void Agent::wait() {
    std::vector<pollfd> fds{{signal_fd_, POLLIN, 0},
                            {launcher_.server().descriptor(), POLLIN, 0},
                            {link_.in(), POLLIN, 0}};
    size_t unsent_bytes = link_.unsent_bytes();
    if (unsent_bytes > 0)
        fds.push_back({link_.out(), POLLOUT, 0});
    for (const Process &process : processes_)
        for (int fd : {process.streams.out, process.streams.err})
            if (fd >= 0 && unsent_bytes < unsent_bytes_max)
                fds.push_back({fd, POLLIN, 0});
    if (Process *process = reader(); process && !input_.empty())
        fds.push_back({process->streams.in, POLLOUT, 0});
    poll(fds.data(), fds.size(), 1000);
}

// Reads and obeys messages, and ends the job here if mpiexec is gone or silent.
void Agent::take_messages() {
    std::vector<Message> messages;
    bool is_there = link_.receive(messages) && link_.flush();
    for (const Message &message : messages)
        obey(message);
    double now = now_s();
    // An agent that was stopped itself knows nothing about mpiexec's silence.
    if (is_stopped_ || now - last_look_s_ > 2)
        link_.forgive(now);
    last_look_s_ = now;
    if (!is_there || now - link_.last_heard_s() > job_.patience_s)
        ending_ = true;
}

// Does what a message asks for.
void Agent::obey(const Message &message) {
    switch (message.word) {
    case Word::Signal:
        if (message.value == SIGSTOP || message.value == SIGCONT)
            is_stopped_ = message.value == SIGSTOP;
        signal_all(message.value, static_cast<Sender>(message.process));
        break;
    case Word::Input:
        input_ += message.data;
        input_ends_ |= message.data.empty();
        break;
    case Word::Ask:
        for (const Process &process : processes_)
            link_.send({Word::State, process.number, 0, encode(process.streams.status.state())});
        link_.send({Word::Answered, 0, message.value});
        break;
    case Word::Lost: {
        thrum::Decoder decoder(message.data);
        const std::string name_space = decoder.take_text();
        const int number = decoder.take_int(), in_job = decoder.take_int();
        require_complete(decoder);
        if (in_job >= 0)
            launcher_.server().tell_of_failure(name_space, number, in_job);
        else
            launcher_.server().tell_of_end(name_space, number);
        break;
    }
    case Word::FenceDone: {
        thrum::Decoder decoder(message.data);
        const std::string name_space = decoder.take_text(), data = decoder.take_text();
        require_complete(decoder);
        launcher_.server().finish_fence(name_space, data);
        break;
    }
    case Word::StartAdded:
        start_added_processes(message);
        break;
    case Word::EndAdded:
        for (const Process &process : processes_)
            if (process.name_space == message.data && !process.has_ended)
                kill(process.streams.pid, SIGKILL);
        break;
    case Word::SpawnDone:
        asked_[message.value]->answer(message.data,
                                      static_cast<SpawnRequest::Failure>(message.process));
        asked_.erase(message.value);
        break;
    case Word::NamesDone:
        finish_question_of_names(message.value, message.data);
        break;
    case Word::Find:
        launcher_.server().find_data(message.process, message.value, message.data);
        break;
    case Word::Found:
        launcher_.server().finish_question(message.value, message.data);
        break;
    case Word::End:
        ending_ = true;
        break;
    case Word::Ping:
        link_.send({Word::Pong});
        break;
    default:
        break;
    }
}

// Starts this node's part of spawned processes, and reports the result.
void Agent::start_added_processes(const Message &message) {
    int error = 0;
    try {
        error = start_group(AddedGroup(message.data));
    } catch (const UsageError &failure) {
        link_.send({Word::Notice, 0, 0, fmt::format("thrum: {}\n", failure.what())});
        error = EINVAL;
    }
    link_.send({Word::AddedStarted, error, message.value});
}

// Starts the processes of the group that are for this node. Returns 0, or errno; mpiexec then ends
// the others. Those that were not started are reported as ended, since mpiexec counts them.
int Agent::start_group(const AddedGroup &group) {
    // Each node announces the whole group: its processes ask for the places of all.
    launcher_.server().announce_added(group.name_space, group.layout, plan_.hosts, job_.node);
    int error = 0;
    for (size_t i = 0; i < group.layout.size(); ++i) {
        if (group.layout[i].node != job_.node)
            continue;
        const auto number = static_cast<int>(i);
        SpawnRequest::Program program = group.program_of(number);
        take_variables_of_host(program.variables);
        Started started;
        try {
            if (!error)
                started = start_added(job_.options, launcher_.server(), child_mask_, program,
                                      group.name_space, number);
        } catch (const StartFailure &failure) {
            error = failure.error;
        }
        if (started.pid > 0)
            processes_.push_back(
                {group.first_number + number, std::move(started), group.name_space, number});
        else
            link_.send({Word::Ended, group.first_number + number, never_started});
    }
    return error;
}

void Agent::signal_all(int signal, Sender sender) {
    for (const Process &process : processes_)
        if (!process.has_ended)
            send_signal(process.streams.pid, signal, sender);
}

// Returns the process that reads standard input, or nullptr.
Agent::Process *Agent::reader() {
    for (Process &process : processes_)
        if (process.streams.in >= 0)
            return &process;
    return nullptr;
}

// Writes the input that mpiexec has sent to the process. mpiexec sends the next piece when this one
// has been taken.
void Agent::feed() {
    bool had = !input_.empty();
    Process *process = reader();
    while (process && !input_.empty()) {
        ssize_t n = write(process->streams.in, input_.data(), input_.size());
        if (n < 0 && errno == EAGAIN)
            return;
        if (n >= 0) {
            input_.erase(0, static_cast<size_t>(n));
            continue;
        }
        close(std::exchange(process->streams.in, -1)); // it has closed its standard input
        process = nullptr;
    }
    if (!process)
        input_.clear();
    if (had)
        link_.send({Word::InputTaken});
    if (process && input_ends_)
        close(std::exchange(process->streams.in, -1));
}

// Returns the number in the job of the process of an event, or -1.
int Agent::number_in_job(const ServerEvent &event) const {
    if (event.added_to.empty())
        return event.process;
    for (const Process &process : processes_)
        if (process.name_space == event.added_to && process.number_there == event.process)
            return process.number;
    return -1;
}

// Sends the server's events to mpiexec. Requests to spawn are kept until their answer.
void Agent::take_events() {
    for (const ServerEvent &event : launcher_.server().take_events()) {
        int code = event.code;
        std::string data = event.data;
        if (event.kind == ServerEvent::Spawn) {
            code = ++last_question_;
            asked_[code] = event.request;
            data = event.request->encode();
        }
        link_.send({Word::Event, number_in_job(event), code,
                    static_cast<char>('0' + event.kind) + event.added_to + "\n" + data});
    }
}

void Agent::forward(Process &process) {
    forward(process, STDOUT_FILENO, process.streams.out);
    forward(process, STDERR_FILENO, process.streams.err);
}

// Sends what the process has written, unless mpiexec does not keep up.
void Agent::forward(const Process &process, int descriptor, int &from) {
    char chunk[65536];
    while (from >= 0 && link_.unsent_bytes() < unsent_bytes_max) {
        ssize_t n = read(from, chunk, sizeof chunk);
        if (n < 0)
            return;
        if (n == 0)
            close(std::exchange(from, -1));
        else
            link_.send({Word::Output, process.number, descriptor,
                        std::string(chunk, static_cast<size_t>(n))});
    }
}

// Handles signals and the ends of children. Output and events come before the message of the end.
void Agent::reap() {
    signalfd_siginfo info;
    while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        ending_ |= info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT;
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return;
        for (Process &process : processes_)
            if (process.streams.pid == pid && (WIFEXITED(status) || WIFSIGNALED(status))) {
                remove_image_copies(pid);
                forward(process);
                take_events();
                process.has_ended = true;
                if (status == 0 && !process.name_space.empty())
                    process.streams.status = StatusFile(); // there may be many of them
                link_.send({Word::Ended, process.number, status});
            }
    }
}

// Ends the processes that still run, after a grace period in which they write what they have
// printed.
void Agent::end_processes() {
    const double deadline_s = now_s() + grace_s;
    signal_all(SIGTERM);
    while (now_s() < deadline_s &&
           !std::ranges::all_of(processes_, [](const Process &p) { return p.has_ended; })) {
        link_.flush();
        for (Process &process : processes_)
            forward(process);
        reap();
        usleep(5000);
    }
    signal_all(SIGKILL);
    end_orphans();
}

// Ends the processes, and sends mpiexec, as long as it is there, all that they have written.
void Agent::end() {
    end_processes();
    for (Process &process : processes_)
        forward(process);
    observations_.send(link_);
    link_.forgive(now_s());
    while (link_.unsent_bytes() > 0 && link_.flush() &&
           now_s() - link_.last_heard_s() < job_.patience_s) {
        std::vector<pollfd> fds{{link_.out(), POLLOUT, 0}, {link_.in(), POLLIN, 0}};
        poll(fds.data(), fds.size(), 1000);
        std::vector<Message> ignored;
        if (!link_.receive(ignored))
            return;
        for (Process &process : processes_)
            forward(process);
    }
}

// Returns a duplicate of standard input or output for the link, and replaces the original: whatever
// else is written to it goes to standard error.
int take_over(int descriptor) {
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (descriptor == STDIN_FILENO) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, STDIN_FILENO);
        close(null);
    } else {
        dup2(STDERR_FILENO, descriptor);
    }
    return own;
}

// Waits for mpiexec's message Start. Returns false if mpiexec has gone or ends the job.
bool wait_for_start(Link &link, JobDescription &job) {
    for (;;) {
        std::vector<pollfd> fds{{link.in(), POLLIN, 0}};
        if (link.unsent_bytes() > 0)
            fds.push_back({link.out(), POLLOUT, 0});
        poll(fds.data(), fds.size(), -1);
        std::vector<Message> messages;
        if (!link.receive(messages) || !link.flush())
            return false;
        for (const Message &message : messages) {
            if (message.word == Word::Ping)
                link.send({Word::Pong});
            if (message.word == Word::End)
                return false;
            if (message.word == Word::Start) {
                job = decode_job(message.data);
                return true;
            }
        }
    }
}

// Returns a signalfd of the signals that block_signals() has blocked.
int open_signals() {
    sigset_t set;
    sigprocmask(SIG_BLOCK, nullptr, &set);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

} // namespace

int run_agent() {
    setsid(); // no signal of a terminal
    sigset_t child_mask = block_signals();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    Link link(take_over(STDIN_FILENO), take_over(STDOUT_FILENO), true);
    int code = 0;
    try {
        JobDescription job;
        if (!wait_for_start(link, job))
            return 0;
        take_variables(job.variables);
        raise_stack_limit();
        umask(job.file_mask);
        Agent(link, std::move(job), child_mask, open_signals()).run();
    } catch (const UsageError &error) {
        link.send({Word::Failed, 0, error.exit_code, error.what()});
        code = error.exit_code;
    } catch (const std::exception &error) {
        link.send({Word::Failed, 0, 1, error.what()});
        code = 1;
    }
    end_orphans();
    return code;
}

} // namespace mpiexec
