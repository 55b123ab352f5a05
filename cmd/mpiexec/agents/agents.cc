// Starts, greets and watches agents (agents/agents.h). An agent passes through these states: its
// launcher runs; it has greeted (the versions agree); it is ready (its processes have started); it
// has ended. Processes are started only when all agents have greeted.
#include "agents/agents.h"

#include "agents/host_observations.h"
#include "agents/job_description.h"
#include "base/environment_variables.h"
#include "base/setting_table.h"
#include "plan/exec_pointers.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "start/ending.h"
#include "start/launch.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace mpiexec {
namespace {

constexpr double ping_interval_s = 1;
constexpr double usual_patience_s = 4;  // unless THRUM_HOST_TIMEOUT is set
constexpr double start_patience_s = 20; // for a launcher that says nothing
constexpr double end_patience_s = 3;    // for agents that are to leave, since their last message

// Returns the seconds of silence after which a host counts as lost (THRUM_HOST_TIMEOUT). Throws
// UsageError.
double read_patience() {
    const thrum::Setting &setting = thrum::find_setting("host_timeout");
    const char *text = getenv(setting.variable);
    double value = 0;
    if (!text || !*text)
        return usual_patience_s;
    if (!thrum::parse_seconds(text, ping_interval_s, 1e6, value))
        throw UsageError(
            2, fmt::format("{}={}: expected {}", setting.variable, text, setting.expected));
    return value;
}

// Returns the word in quotes for a shell.
std::string quoted(const std::string &word) {
    std::string text = "'";
    for (char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

// Returns the command that starts an agent on `host`: mpiexec itself on this machine, else ssh or
// what --launcher-exec says.
std::vector<std::string> launch_command(const Options &options, const std::string &host) {
    if (options.value_of("launcher") == "fork" ||
        (options.value_of("launcher_exec").empty() && is_this_machine(host)))
        return {own_executable().string(), agent_argument};
    std::vector<std::string> command;
    if (options.value_of("launcher_exec").empty())
        command = {"ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5"};
    std::istringstream words(options.value_of("launcher_exec"));
    for (std::string word; words >> word;)
        command.push_back(word);
    command.push_back(host);
    command.push_back("exec " + quoted(own_executable().string()) + " " + agent_argument);
    return command;
}

// Makes the child the launcher, in a session of its own: Ctrl-C reaches mpiexec alone, which
// decides what to do with it. An agent sees the end of mpiexec and cleans up; a program on the way
// to one may not see it, so the kernel kills that.
[[noreturn]] void become_launcher(const std::vector<std::string> &command, int in, int out, int err,
                                  pid_t parent) {
    if (command.back() != agent_argument)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setsid();
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const std::vector<char *> argv = exec_pointers(command);
    execvp(argv[0], argv.data());
    dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
    _exit(255);
}

void make_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {} (ulimit -n)", strerror(errno)));
}

// Returns the last line that is not empty.
std::string last_line(const std::string &text) {
    std::istringstream lines(text);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        while (!line.empty() && isspace(static_cast<unsigned char>(line.back())))
            line.pop_back();
        if (!line.empty())
            last = line;
    }
    return last;
}

// Returns the umask, which can only be read by setting it.
unsigned current_file_mask() {
    mode_t mask = umask(0);
    umask(mask);
    return mask;
}

} // namespace

Agents::Agents(const Options &options, const Plan &plan, const std::string &job_name, int signal_fd)
    : options_(options), plan_(plan), job_name_(job_name), patience_s_(read_patience()) {
    for (size_t node = 0; node < plan.hosts.size(); ++node)
        start(static_cast<int>(node));
    last_look_s_ = now_s();
    // All agents exist by now: the thread reads the vector without a lock.
    pinging_ = std::thread([this] { keep_pinging(); });
    try {
        wait_until_ready(signal_fd);
    } catch (...) {
        end();
        stop_pinging();
        throw;
    }
}

void Agents::stop_pinging() {
    {
        std::lock_guard guard(mutex_);
        stop_pinging_ = true;
        stop_.notify_all();
    }
    pinging_.join();
}

Agents::~Agents() {
    stop_pinging();
    for (auto &agent : agents_)
        if (!agent->ended) {
            kill(agent->pid, SIGKILL);
            waitpid(agent->pid, nullptr, 0);
        }
}

// Starts the launcher for a node. Throws UsageError.
void Agents::start(int node) {
    std::vector<std::string> command =
        launch_command(options_, plan_.hosts[static_cast<size_t>(node)]);
    int in[2], out[2], err[2];
    make_pipe(in);
    make_pipe(out);
    make_pipe(err);
    fflush(nullptr);
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        throw UsageError(
            1, fmt::format("cannot start {}: {} (ulimit -u)", command[0], strerror(errno)));
    if (pid == 0)
        become_launcher(command, in[0], out[1], err[1], parent);
    for (int fd : {in[0], out[1], err[1]})
        close(fd);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    agents_.push_back(std::make_unique<Agent>(pid, out[0], in[1], err[0]));
}

// Sends Ping every second, on a thread of its own: also while this mpiexec waits for the reader of
// its output.
void Agents::keep_pinging() {
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, std::chrono::duration<double>(ping_interval_s),
                           [this] { return stop_pinging_; }))
        for (auto &agent : agents_)
            if (agent->greeted.load(std::memory_order_relaxed))
                agent->link.send({Word::Ping});
}

void Agents::add_to(std::vector<pollfd> &fds) const {
    for (const auto &agent : agents_) {
        if (agent->ended)
            continue;
        fds.push_back({agent->link.in(), POLLIN, 0});
        if (agent->link.unsent_bytes() > 0)
            fds.push_back({agent->link.out(), POLLOUT, 0});
        if (agent->errors >= 0)
            fds.push_back({agent->errors, POLLIN, 0});
    }
}

void Agents::send_to_all(const Message &message) {
    for (auto &agent : agents_)
        if (!agent->ended)
            agent->link.send(message);
}

std::vector<Agents::Arrived> Agents::receive() {
    std::vector<Arrived> arrived = std::exchange(early_, {});
    collect(arrived);
    return arrived;
}

// Reads the messages of all agents, and loses those that are silent.
void Agents::collect(std::vector<Arrived> &arrived) {
    for (size_t node = 0; node < agents_.size(); ++node)
        if (!agents_[node]->ended)
            (void)take_from(static_cast<int>(node), arrived);
    look_for_silence(arrived);
}

// Reads what one agent and its launcher have sent. Returns whether a message has come.
bool Agents::take_from(int node, std::vector<Arrived> &arrived) {
    Agent &agent = *agents_[static_cast<size_t>(node)];
    take_errors(agent);
    agent.link.flush(); // an agent that does not read will be seen to have ended
    std::vector<Message> messages;
    bool is_open = agent.link.receive(messages);
    if (!agent.greeted && !agent.link.version().empty() && !ending_)
        greet(node);
    for (Message &message : messages) {
        agent.ready |= message.word == Word::Ready;
        if (message.word == Word::Observed)
            keep_observation(options_, message.data);
        else if (message.word != Word::Pong)
            arrived.push_back({node, std::move(message)});
    }
    if (!is_open)
        lose(node, "", arrived);
    return !messages.empty();
}

// Reads the launcher's standard error. Before the agent greets, it explains a failure; later it
// goes to the user.
void Agents::take_errors(Agent &agent) {
    char chunk[4096];
    while (agent.errors >= 0) {
        ssize_t n = read(agent.errors, chunk, sizeof chunk);
        if (n < 0)
            return;
        if (n == 0)
            close(std::exchange(agent.errors, -1));
        else if (agent.greeted)
            fwrite(chunk, 1, static_cast<size_t>(n), stderr);
        else
            agent.said.append(chunk, static_cast<size_t>(n));
    }
}

// Handles an agent's greeting. Throws UsageError if it is of another version.
void Agents::greet(int node) {
    Agent &agent = *agents_[static_cast<size_t>(node)];
    const std::string &host = plan_.hosts[static_cast<size_t>(node)];
    if (agent.link.version() != THRUM_VERSION)
        throw UsageError(2, fmt::format("host {} has Thrum {}, but this mpiexec belongs to Thrum "
                                        "{}: install the same version on all hosts",
                                        host, agent.link.version(), THRUM_VERSION));
    std::fwrite(agent.said.data(), 1, agent.said.size(), stderr);
    agent.greeted.store(true, std::memory_order_relaxed);
}

// Sends the job to all agents. Called when all have greeted: no process starts before all hosts
// have answered.
void Agents::start_processes() {
    JobDescription job;
    job.options = options_;
    job.job_name = job_name_;
    job.directory = std::filesystem::current_path().string();
    job.file_mask = current_file_mask();
    job.patience_s = patience_s_;
    job.variables = variables_for_hosts();
    for (size_t node = 0; node < agents_.size(); ++node) {
        job.node = static_cast<int>(node);
        agents_[node]->link.send({Word::Start, 0, 0, encode(job)});
    }
}

// Kills a launcher. As long as it has not become an agent, which has a guardian in its session, its
// whole group is killed with it.
void Agents::kill_launcher(const Agent &agent) {
    kill(agent.greeted ? agent.pid : -agent.pid, SIGKILL);
    kill(agent.pid, SIGKILL); // it may not have a session of its own yet
}

// Returns what the user can do about a host that cannot be reached.
std::string Agents::remedy_for(const std::string &host) const {
    return fmt::format(
        " (check the name, and that \"{} {} true\" works without a password; "
        "--launcher-exec sets another command)",
        options_.value_of("launcher_exec").empty() ? "ssh" : options_.value_of("launcher_exec"),
        host);
}

// Waits for the end of a launcher, and returns a sentence that explains it by its exit code and
// what it has printed.
std::string Agents::reason_of_end(Agent &agent, const std::string &host) {
    int status = 0, fd = static_cast<int>(syscall(SYS_pidfd_open, agent.pid, 0));
    pollfd end{fd, POLLIN, 0};
    if (fd >= 0 && poll(&end, 1, 1000) == 0)
        kill_launcher(agent); // it has closed its output only
    close(fd);
    waitpid(agent.pid, &status, 0);
    take_errors(agent);
    std::string line = last_line(agent.said);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    std::string detail = line.empty() ? fmt::format("exit code {}", code) : line;
    if (agent.greeted)
        return fmt::format("host {} is lost: its agent has exited", host);
    if (code == 126 || code == 127)
        return fmt::format(
            "host {} cannot run {} ({}): install the same version of Thrum in the same place", host,
            own_executable().string(), detail);
    return fmt::format("host {} cannot be reached: {}{}", host, detail, remedy_for(host));
}

// Gives an agent up. `why` "": the reason is that of its launcher's end.
void Agents::lose(int node, const std::string &why, std::vector<Arrived> &arrived) {
    Agent &agent = *agents_[static_cast<size_t>(node)];
    const std::string &host = plan_.hosts[static_cast<size_t>(node)];
    agent.ended = true;
    std::string reason = reason_of_end(agent, host);
    if (agent.errors >= 0)
        close(std::exchange(agent.errors, -1));
    if (!ending_)
        arrived.push_back(
            {node, {Word::Failed, 0, agent.greeted ? 1 : 2, why.empty() ? reason : why}});
}

// Loses agents that have been silent for too long. An mpiexec that was stopped itself, or has
// waited for the reader of its output, knows nothing about their silence.
void Agents::look_for_silence(std::vector<Arrived> &arrived) {
    double now = now_s();
    bool was_away = now - last_look_s_ > 2 * ping_interval_s;
    last_look_s_ = now;
    for (size_t node = 0; node < agents_.size(); ++node) {
        Agent &agent = *agents_[node];
        if (was_away)
            agent.link.forgive(now);
        double limit_s = agent.greeted ? patience_s_ : start_patience_s;
        if (agent.ended || now - agent.link.last_heard_s() < limit_s)
            continue;
        kill_launcher(agent);
        const std::string &host = plan_.hosts[node];
        lose(static_cast<int>(node),
             agent.greeted
                 ? fmt::format("host {} is lost: no answer from it for {} s (THRUM_HOST_TIMEOUT)",
                               host, limit_s)
                 : fmt::format("host {} cannot be reached: no answer from its launcher for {} s{}",
                               host, limit_s, remedy_for(host)),
             arrived);
    }
}

// Waits until all agents are ready. Throws UsageError if one fails, or on a signal.
void Agents::wait_until_ready(int signal_fd) {
    auto all = [&](auto what) {
        return std::all_of(agents_.begin(), agents_.end(), what);
    };
    for (bool started = false; !all([](const auto &a) { return a->ready; });) {
        std::vector<pollfd> fds{{signal_fd, POLLIN, 0}};
        add_to(fds);
        poll(fds.data(), fds.size(), static_cast<int>(ping_interval_s * 1000));
        signalfd_siginfo info;
        while (read(signal_fd, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
            if (int signal = static_cast<int>(info.ssi_signo);
                signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT)
                throw UsageError(128 + signal, "interrupted while starting the hosts");
        collect(early_);
        for (const Arrived &one : early_)
            if (one.message.word == Word::Failed)
                throw UsageError(one.message.value, one.message.data);
        if (!started && all([](const auto &a) { return a->greeted.load(); })) {
            started = true;
            start_processes();
        }
    }
}

// Launchers that have not become agents understand no messages: they are killed. Agents get time as
// long as they send something.
std::vector<Agents::Arrived> Agents::end() {
    ending_ = true;
    for (auto &agent : agents_)
        if (!agent->greeted && !agent->ended)
            kill_launcher(*agent);
    send_to_all({Word::End});
    std::vector<Arrived> arrived;
    double deadline_s = now_s() + end_patience_s;
    auto one_is_there = [&] {
        return std::any_of(agents_.begin(), agents_.end(), [](const auto &a) { return !a->ended; });
    };
    while (one_is_there() && now_s() < deadline_s) {
        std::vector<pollfd> fds;
        add_to(fds);
        poll(fds.data(), fds.size(), static_cast<int>((deadline_s - now_s()) * 1000) + 1);
        bool one_sends = false;
        for (size_t node = 0; node < agents_.size(); ++node)
            if (!agents_[node]->ended)
                one_sends |= take_from(static_cast<int>(node), arrived);
        if (one_sends) // an agent that sends is not silent
            deadline_s = now_s() + end_patience_s;
    }
    return arrived;
}

} // namespace mpiexec
