// One loop around poll: signals, the PMIx server's events, output. With several hosts the processes
// are children of agents, and the same events arrive as messages (agents/link.h).
//
// Invariants
// 1. The first process that fails gives the job its exit code; the others are then ended. What ends
//    because of that prints nothing.
// 2. A process fails when a signal ends it, and, once any process has begun MPI, when it ends
//    without having finalized it. Its exit code after that counts, but ends nobody.
// 3. Processes of processes (a shell that runs the program) become ours when their parents end, and
//    end with the job.
#include "launcher/supervisor.h"

#include "agents/agents.h"
#include "agents/spread_processes.h"
#include "base/codec.h"
#include "launcher/added_processes.h"
#include "plan/message.h"
#include "server/published_names.h"
#include "start/ending.h"
#include "start/forward.h"
#include "start/launch.h"
#include "start/orphans.h"
#include "start/process_start.h"
#include "start/status_file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

struct Running {
    Running(pid_t p, Forward o, Forward e, StatusFile s)
        : pid(p), out(std::move(o)), err(std::move(e)), status(std::move(s)) {}

    pid_t pid;
    Forward out, err;
    StatusFile status;  // of a child of this mpiexec; else empty
    ProcessState state; // the last snapshot, see know_states_then()
    bool has_ended = false;
    bool connected = false; // has begun MPI
    bool finalized = false; // and ended it
    int times_begun = 0;    // programs that a script starts one after the other do it again
};

// Returns the data of a message Word::Lost.
std::string describe_lost(const std::string &name_space, int number, int in_job) {
    thrum::Encoder encoder;
    encoder.put_text(name_space);
    encoder.put_number(number);
    encoder.put_number(in_job);
    return encoder.text();
}

// What to do when agents have reported what their processes do.
struct Decision {
    int question;
    std::vector<bool> answered; // by node
    std::function<void()> act;
};

// Runs one job. Its processes are its own children, or those of agents.
class Supervisor {
public:
    Supervisor(const Options &options, const Plan &plan, const sigset_t &child_mask)
        : options_(options), plan_(plan) {
        if (options.timeout_s > 0)
            deadline_s_ = now_s() + options.timeout_s;
        sigset_t watched;
        sigprocmask(SIG_BLOCK, nullptr, &watched);
        if (plan.has_agents) { // Ctrl-Z does not reach their processes: we pass it on
            sigaddset(&watched, SIGTSTP);
            sigprocmask(SIG_BLOCK, &watched, nullptr);
        }
        signal_fd_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
        if (plan.has_agents)
            begin_with_agents();
        else
            begin_here(child_mask);
        running_ = processes_.size();
    }

    int run() {
        while (running_ > 0 || (added_ && added_->running() > 0) || !decisions_.empty()) {
            wait();
            take_signals(); // before reap(): a SIGCHLD that arrives later wakes us again
            if (agents_) {
                take_messages(agents_->receive());
            } else {
                take_server_events();
                reap();
            }
            if (deadline_s_ > 0 && now_s() >= deadline_s_)
                on_deadline();
        }
        if (agents_)
            take_messages(agents_->end());
        else
            end_orphans();
        for (Running &process : processes_) { // what their own children have written until now
            process.out.finish();
            process.err.finish();
        }
        if (added_)
            added_->finish();
        if (timed_out_)
            return time_limit_exit_code;
        return exit_code_ == 0 && has_lost_output() ? 1 : exit_code_;
    }

private:
    void begin_here(const sigset_t &child_mask);
    void begin_with_agents();
    void wait();
    int wait_limit_ms() const;
    void pump(Forward &stream);
    void take_server_events();
    void on_event(const ServerEvent &event);
    void take_messages(const std::vector<Agents::Arrived> &arrived);
    void on_message(int node, const Message &message);
    void on_event_of(int node, const ServerEvent &event);
    void on_fence(int node, const ServerEvent &event);
    void finish_fences();
    void add_processes(int node, const ServerEvent &event);
    void on_end_with_agents(size_t number, int status);
    void on_host_lost(int node, const Message &message);
    void feed_reader();
    void stop_with_processes();
    void take_signals();
    void reap();
    void on_end(size_t number, int status);
    void complain_about_output(size_t number) const;
    void on_end_by_request(int code);
    void on_failure(size_t number, int status);
    void on_loss(const std::vector<size_t> &lost, int code);
    void know_states_then(std::function<void()> act);
    void note_answer(int node, int question);
    void take_decisions();
    void on_end_of_added(const AddedProcesses::End &end);
    void on_signal(const signalfd_siginfo &info);
    void on_deadline();
    void complain_about_waiting();
    bool others_handle_errors(const Relative &lost) const;
    bool can_go_on_without(size_t number) const;
    void tell_of_failure(const Relative &lost, int number); // its number in its name space
    void tell_of_end(const std::string &name_space, int number);
    // Bound: of running processes that need all others, those in supersteps or ACLMPL.
    enum class Which { All, Running, Bound };
    std::map<std::string, int> ranks_in(Which which) const;
    std::string ranks_of(size_t number) const;
    std::string name(size_t number) const;

    void kill_all(int signal, Sender sender = Sender::Mpiexec) {
        if (agents_)
            agents_->send_to_all({Word::Signal, static_cast<int>(sender), signal});
        else
            for (Running &process : processes_)
                if (!process.has_ended)
                    send_signal(process.pid, signal, sender);
        if (added_)
            added_->kill_all(signal, sender);
    }

    // The job ends, with `code`, because of process `number`.
    void end_job(int code) {
        if (ending_)
            return;
        ending_ = killing_ = true;
        exit_code_ = code;
        deadline_s_ = now_s() + grace_s;
        kill_all(SIGTERM); // they write what they have printed
    }

    // Returns whether the process was spawned (only with agents; others are in added_).
    bool is_added(size_t number) const { return spread_ && spread_->is_added(number); }

    Relative relative(size_t number) const {
        return is_added(number) ? spread_->process(number).who
                                : Relative{"", static_cast<int>(number)};
    }

    int number_there(size_t number) const { // in its name space
        return is_added(number) ? spread_->process(number).number : static_cast<int>(number);
    }

    const Families &families() const { return spread_ ? spread_->families() : added_->families(); }

    bool anybody_connected() const {
        return std::any_of(processes_.begin(), processes_.end(),
                           [](const Running &process) { return process.connected; });
    }

    const Options &options_;
    const Plan &plan_;
    std::unique_ptr<Launcher> launcher_; // on one host; else agents_
    std::unique_ptr<Agents> agents_;
    std::unique_ptr<AddedProcesses> added_;   // with the launcher
    std::unique_ptr<SpreadProcesses> spread_; // with agents; its processes are in processes_
    std::vector<Running> processes_;
    // The data of fences under way, by name space and node.
    std::map<std::string, std::map<int, std::string>> fences_;
    std::deque<Decision> decisions_; // that wait for agents, in the order of their questions
    int last_question_ = 0;
    int input_node_ = -1;        // which reads standard input; -1: none, or it has ended
    bool input_is_taken_ = true; // the last piece that was sent
    size_t running_ = 0;         // of processes_, not ended
    int signal_fd_ = -1;
    int exit_code_ = 0;
    double deadline_s_ = 0; // of the time limit, or of a request to end; 0: none
    double last_interrupt_s_ = -1e9;
    bool ending_ = false; // processes that end from now on print nothing
    bool timed_out_ = false;
    bool some_are_lost_ = false; // and the others continue
    bool killing_ = false;       // the deadline is that of a request to end
    int asked_signal_ = 0;       // that was sent to the job
};

void Supervisor::begin_here(const sigset_t &child_mask) {
    check_descriptors(plan_, 0);
    const std::string job_name = make_job_name();
    launcher_ = std::make_unique<Launcher>(options_, plan_, 0, job_name, child_mask);
    added_ = std::make_unique<AddedProcesses>(options_, launcher_->server(), job_name, child_mask);
    try {
        for (size_t i = 0; i < plan_.processes.size(); ++i) {
            Started started =
                launcher_->start(static_cast<int>(i), StatusFile::make(count_ranks(options_)));
            std::string prefix = prefix_of(options_, plan_.processes[i]);
            processes_.emplace_back(started.pid, Forward(started.out, STDOUT_FILENO, prefix),
                                    Forward(started.err, STDERR_FILENO, prefix),
                                    std::move(started.status));
        }
    } catch (...) {
        kill_all(SIGKILL);
        throw;
    }
}

void Supervisor::begin_with_agents() {
    for (const PlannedProcess &process : plan_.processes) {
        std::string prefix = prefix_of(options_, process);
        processes_.emplace_back(0, Forward(-1, STDOUT_FILENO, prefix),
                                Forward(-1, STDERR_FILENO, prefix), StatusFile());
        int rank = rank_of_input(options_);
        if (rank >= process.first_rank && rank < process.first_rank + process.ranks)
            input_node_ = process.node;
    }
    const std::string job_name = make_job_name();
    agents_ = std::make_unique<Agents>(options_, plan_, job_name, signal_fd_);
    spread_ = std::make_unique<SpreadProcesses>(options_, plan_, job_name, *agents_);
}

int Supervisor::wait_limit_ms() const {
    double limit_s = agents_ ? 1 : -1; // in time to ask whether they are there
    if (deadline_s_ > 0) {
        double left_s = std::max(0.0, deadline_s_ - now_s());
        limit_s = limit_s < 0 ? left_s : std::min(limit_s, left_s);
    }
    return limit_s < 0 ? -1 : static_cast<int>(std::min(std::ceil(limit_s * 1000), 1e9));
}

// Returns whether standard input may be read: a background process is stopped by that.
bool may_read_input() {
    return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void Supervisor::wait() {
    std::vector<pollfd> fds{{signal_fd_, POLLIN, 0}};
    if (launcher_)
        fds.push_back({launcher_->server().descriptor(), POLLIN, 0});
    std::vector<Forward *> streams;
    size_t first_stream = fds.size();
    for (Running &process : processes_)
        for (Forward *stream : {&process.out, &process.err})
            if (stream->descriptor() >= 0) {
                fds.push_back({stream->descriptor(), POLLIN, 0});
                streams.push_back(stream);
            }
    if (agents_)
        agents_->add_to(fds);
    bool feeds = agents_ && input_node_ >= 0 && input_is_taken_ && may_read_input();
    const size_t first_of_added = fds.size();
    if (added_)
        added_->add_to(fds);
    if (feeds)
        fds.push_back({STDIN_FILENO, POLLIN, 0});
    if (poll(fds.data(), fds.size(), wait_limit_ms()) <= 0)
        return;
    for (size_t i = 0; i < streams.size(); ++i)
        if (fds[first_stream + i].revents)
            pump(*streams[i]);
    if (added_ && !added_->pump(fds.data() + first_of_added))
        end_job(128 + SIGPIPE);
    if (feeds && fds.back().revents)
        feed_reader();
}

// Sends the next piece of input. Only one is on its way, so a slow reader stops mpiexec here.
void Supervisor::feed_reader() {
    char chunk[32768];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    std::string data(chunk, static_cast<size_t>(std::max<ssize_t>(n, 0)));
    agents_->send(input_node_, {Word::Input, 0, 0, data});
    input_is_taken_ = false;
    if (data.empty())
        input_node_ = -1;
}

void Supervisor::pump(Forward &stream) {
    if (!stream.pump()) // the reader of the output has enough; shells say nothing either
        end_job(128 + SIGPIPE);
}

void Supervisor::take_server_events() {
    for (const ServerEvent &event : launcher_->server().take_events())
        on_event(event);
    complain_about_waiting();
}

void Supervisor::on_event(const ServerEvent &event) {
    if (added_ && (event.kind == ServerEvent::Spawn || !event.added_to.empty())) {
        added_->on_event(event);
        if (event.kind == ServerEvent::Aborted)
            end_job(event.code ? event.code & 255 : 1);
        return;
    }
    if (event.kind == ServerEvent::Aborted)
        end_job(event.code ? event.code & 255 : 1);
    if (event.process < 0 || event.process >= static_cast<int>(processes_.size()))
        return;
    Running &process = processes_[static_cast<size_t>(event.process)];
    if (event.kind == ServerEvent::Connected) {
        process.connected = true;
        process.finalized = false;
        ++process.times_begun;
    }
    if (event.kind == ServerEvent::Finalized)
        process.finalized = true;
}

void Supervisor::take_messages(const std::vector<Agents::Arrived> &arrived) {
    for (const auto &[node, message] : arrived)
        on_message(node, message);
    if (!arrived.empty())
        complain_about_waiting();
}

void Supervisor::on_message(int node, const Message &message) {
    auto number = static_cast<size_t>(message.process);
    switch (message.word) {
    case Word::Notice:
        std::fwrite(message.data.data(), 1, message.data.size(), stderr);
        break;
    case Word::Output:
        if (!(message.value == STDOUT_FILENO ? processes_[number].out : processes_[number].err)
                 .take(message.data))
            end_job(128 + SIGPIPE);
        break;
    case Word::Event: {
        const size_t end = message.data.find('\n');
        on_event_of(node,
                    {static_cast<ServerEvent::Kind>(message.data[0] - '0'), message.process,
                     message.value, message.data.substr(end + 1), message.data.substr(1, end - 1)});
        break;
    }
    case Word::Ended:
        on_end_with_agents(number, message.value);
        break;
    case Word::AddedStarted:
        spread_->on_started(node, message.value, message.process);
        break;
    case Word::State:
        processes_[number].state = decode_state(message.data);
        break;
    case Word::Answered:
        note_answer(node, message.value);
        break;
    case Word::InputTaken:
        input_is_taken_ = true;
        break;
    case Word::Failed:
        on_host_lost(node, message);
        break;
    default:
        break;
    }
}

// Handles an event of the PMIx server on `node`. What nodes ask of each other passes through here.
void Supervisor::on_event_of(int node, const ServerEvent &event) {
    switch (event.kind) {
    case ServerEvent::Fence:
        on_fence(node, event);
        break;
    case ServerEvent::Spawn:
        add_processes(node, event);
        break;
    case ServerEvent::Names:
        agents_->send(node, {Word::NamesDone, 0, event.code, answer_about_names(event.data)});
        break;
    case ServerEvent::Wanted:
        if (event.process >= 0 && event.process < static_cast<int>(plan_.processes.size()))
            agents_->send(plan_.processes[static_cast<size_t>(event.process)].node,
                          {Word::Find, event.process, event.code, std::to_string(node)});
        else
            agents_->send(node, {Word::Found, 0, event.code});
        break;
    case ServerEvent::Found: {
        size_t end = event.data.find('\n');
        agents_->send(std::stoi(event.data.substr(0, end)),
                      {Word::Found, 0, event.code, event.data.substr(end + 1)});
        break;
    }
    default:
        on_event(event);
    }
}

void Supervisor::on_fence(int node, const ServerEvent &event) {
    fences_[event.added_to][node] = event.data;
    finish_fences();
}

// Gives the fences that all nodes of a name space have reached, or are lost, the data of all.
void Supervisor::finish_fences() {
    for (auto fence = fences_.begin(); fence != fences_.end();) {
        const auto &[name_space, come] = *fence;
        const std::vector<int> nodes = spread_->nodes_of(name_space);
        if (!std::ranges::all_of(
                nodes, [&](int node) { return come.contains(node) || agents_->has_ended(node); })) {
            ++fence;
            continue;
        }
        std::string all;
        for (const auto &[from, data] : come)
            all += data;
        thrum::Encoder encoder;
        encoder.put_text(name_space);
        encoder.put_text(all);
        for (int to : nodes)
            if (!agents_->has_ended(to))
                agents_->send(to, {Word::FenceDone, 0, 0, encoder.text()});
        fence = fences_.erase(fence);
    }
}

void Supervisor::add_processes(int node, const ServerEvent &event) {
    if (ending_)
        return;
    for (const SpreadProcesses::Process &process :
         spread_->on_request(node, event.code, event.data, event.added_to)) {
        processes_.emplace_back(0, Forward(-1, STDOUT_FILENO, process.prefix),
                                Forward(-1, STDERR_FILENO, process.prefix), StatusFile());
        ++running_;
    }
}

void Supervisor::on_end_with_agents(size_t number, int status) {
    processes_[number].has_ended = true;
    --running_;
    spread_->on_end(number, status == never_started);
    if (!spread_->is_part_of_none(number))
        on_end(number, status);
}

// Handles the loss of an agent. Its processes end with it, or cannot reach us.
void Supervisor::on_host_lost(int node, const Message &message) {
    spread_->on_host_lost(node);
    std::vector<size_t> lost;
    std::string ranks;
    for (size_t i = 0; i < processes_.size(); ++i) {
        if (spread_->node_of(i) != node || processes_[i].has_ended)
            continue;
        processes_[i].has_ended = true;
        --running_;
        spread_->on_end(i, false);
        if (spread_->is_part_of_none(i))
            continue;
        lost.push_back(i);
        ranks += (ranks.empty() ? "" : ", ") + ranks_of(i);
    }
    if (!ending_)
        say("{}{}{}", message.data, ranks.empty() ? "" : "; with it ", ranks);
    for (Decision &decision : decisions_)
        decision.answered[static_cast<size_t>(node)] = true;
    know_states_then([=, this] { on_loss(lost, message.value); });
    take_decisions();
    finish_fences();
}

// Calls `act` when Running::state is up to date: at once for children; agents are asked first.
void Supervisor::know_states_then(std::function<void()> act) {
    if (!agents_) {
        for (Running &process : processes_)
            process.state = process.status.state();
        return act();
    }
    Decision decision{++last_question_, std::vector<bool>(plan_.hosts.size()), std::move(act)};
    for (size_t node = 0; node < plan_.hosts.size(); ++node)
        decision.answered[node] = agents_->has_ended(static_cast<int>(node));
    decisions_.push_back(std::move(decision));
    agents_->send_to_all({Word::Ask, 0, last_question_});
}

void Supervisor::note_answer(int node, int question) {
    for (Decision &decision : decisions_)
        if (decision.question == question)
            decision.answered[static_cast<size_t>(node)] = true;
    take_decisions();
}

void Supervisor::take_decisions() {
    while (!decisions_.empty() && std::ranges::count(decisions_.front().answered, false) == 0) {
        std::function<void()> act = std::move(decisions_.front().act);
        decisions_.pop_front();
        act();
    }
}

// Stops the job on Ctrl-Z, with the agents: a stopped mpiexec is silent, which would end them.
void Supervisor::stop_with_processes() {
    kill_all(SIGSTOP);
    raise(SIGSTOP);
    kill_all(SIGCONT);
}

void Supervisor::take_signals() {
    signalfd_siginfo info;
    while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGPIPE)
            on_signal(info);
}

void Supervisor::on_signal(const signalfd_siginfo &info) {
    auto signal = static_cast<int>(info.ssi_signo);
    bool has_reached_all = info.ssi_code == SI_KERNEL && !agents_; // from the terminal
    if (signal == SIGTSTP)
        return stop_with_processes();
    if (signal == SIGINT && now_s() - last_interrupt_s_ < grace_s) {
        say("interrupted again; killing the job");
        end_job(128 + SIGINT);
        kill_all(SIGKILL);
        return;
    }
    if (signal == SIGINT)
        last_interrupt_s_ = now_s();
    if (!has_reached_all)
        kill_all(signal, Sender::User);
    asked_signal_ = signal; // they may continue; one that ends by it is no failure
}

// Returns "rank 2" or "ranks 2-3".
std::string Supervisor::ranks_of(size_t number) const {
    if (is_added(number))
        return spread_->process(number).name;
    const PlannedProcess &process = plan_.processes[number];
    int first = process.first_rank, last = first + process.ranks - 1;
    return first == last ? fmt::format("rank {}", first) : fmt::format("ranks {}-{}", first, last);
}

std::string Supervisor::name(size_t number) const {
    if (is_added(number))
        return fmt::format("{} on {}", spread_->process(number).name,
                           plan_.hosts[static_cast<size_t>(spread_->node_of(number))]);
    const PlannedProcess &process = plan_.processes[number];
    return fmt::format("{}{} ({} on {})", process.ranks == 1 ? "" : "the process of ",
                       ranks_of(number), process.programs[0].argv[0],
                       plan_.hosts[static_cast<size_t>(process.node)]);
}

void Supervisor::on_end(size_t number, int status) {
    Running &process = processes_[number];
    if (!process.out.drain() || !process.err.drain())
        end_job(128 + SIGPIPE);
    if (ending_)
        return;
    const int code = exit_code_of(status);
    if (asked_signal_ && code == 128 + asked_signal_) // the others have got it, too
        return know_states_then([=, this] { on_end_by_request(code); });
    bool is_failure = WIFSIGNALED(status) ||
                      (process.connected ? !process.finalized : code != 0 && anybody_connected());
    if (exit_code_ == 0)
        exit_code_ = code;
    if (code != 0)
        know_states_then([=, this] { complain_about_output(number); });
    if (is_failure)
        return know_states_then([=, this] { on_failure(number, status); });
    if (some_are_lost_) // other processes do not wait for it at its end
        tell_of_end(relative(number).name_space, number_there(number));
    complain_about_waiting();
}

void Supervisor::complain_about_output(size_t number) const {
    if (int error = processes_[number].state.output_error)
        note_lost_output(fmt::format("{}: cannot write its output", name(number)), error);
}

void Supervisor::on_end_by_request(int code) {
    if (ending_)
        return;
    if (std::string where = describe_counts(ranks_in(Which::All)); !where.empty())
        say("{}: {}", asked_signal_ == SIGINT ? "interrupted" : "terminated", where);
    ending_ = killing_ = true;
    exit_code_ = code;
    deadline_s_ = now_s() + grace_s;
}

void Supervisor::on_failure(size_t number, int status) {
    if (ending_)
        return;
    const Running &process = processes_[number];
    std::string end = process.state.last_calls;
    if (std::string where = describe_counts(ranks_in(Which::Bound));
        !where.empty() && others_handle_errors(relative(number)))
        end += fmt::format("; the other processes cannot continue without it: {}", where);
    const bool ends = !process.state.ends_job && !can_go_on_without(number);
    const std::map<std::string, int> running = ranks_in(Which::Running);
    const std::string others = ends && !process.state.is_beginning() && some_wait(running)
                                   ? "; the others: " + describe_counts(running)
                                   : "";
    // What the library has said is better, but other output may have followed it.
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        ;
    else if (!process.err.has_reason())
        say("{}", describe_failure(name(number), status, process.connected, end + others));
    else if (!others.empty())
        say("{} ended with exit code {}{}", name(number), exit_code_of(status), others);
    on_loss({number}, exit_code_of(status));
}

// Returns whether the job can continue without a process that is lost.
bool Supervisor::can_go_on_without(size_t number) const {
    const Running &process = processes_[number];
    if (process.state.ends_job || !others_handle_errors(relative(number)))
        return false;
    return !is_added(number) ||
           (process.connected && relative(number).in_job >= 0 && !process.state.is_beginning());
}

// Lets the other processes go on without `lost`, or ends the job.
void Supervisor::on_loss(const std::vector<size_t> &lost, int code) {
    if (ending_)
        return;
    bool goes_on = !lost.empty() && ranks_in(Which::Bound).empty();
    for (size_t number : lost)
        goes_on &= can_go_on_without(number);
    if (!goes_on)
        return end_job(code ? code : 1);
    if (exit_code_ == 0)
        exit_code_ = code ? code : 1;
    some_are_lost_ = true;
    for (size_t number : lost)
        tell_of_failure(relative(number), number_there(number));
}

void Supervisor::tell_of_failure(const Relative &lost, int number) {
    if (launcher_)
        return launcher_->server().tell_of_failure(lost.name_space, number, lost.in_job);
    agents_->send_to_all({Word::Lost, 0, 0, describe_lost(lost.name_space, number, lost.in_job)});
}

void Supervisor::tell_of_end(const std::string &name_space, int number) {
    if (launcher_)
        return launcher_->server().tell_of_end(name_space, number);
    agents_->send_to_all({Word::Lost, 0, 0, describe_lost(name_space, number, -1)});
}

// Returns whether those that the loss of `lost` concerns have error handlers that return. They then
// get errors from what involves it, and go on (docs/between_processes.md).
bool Supervisor::others_handle_errors(const Relative &lost) const {
    if (added_ && !added_->handle_errors(lost))
        return false;
    for (size_t i = 0; i < processes_.size(); ++i) {
        const Running &process = processes_[i];
        if (process.has_ended || (spread_ && spread_->is_part_of_none(i)) ||
            !families().are_related(relative(i), lost))
            continue;
        if (!process.connected || !process.state.handles_errors)
            return false;
    }
    return true;
}

// Returns how many ranks are in which call; nothing if it is not known.
std::map<std::string, int> Supervisor::ranks_in(Which which) const {
    std::map<std::string, int> ranks_in;
    for (const Running &process : processes_)
        if (which == Which::All ||
            (!process.has_ended && (which == Which::Running || process.state.is_bound)))
            for (const auto &[what, count] : process.state.ranks_in)
                ranks_in[what] += count;
    if (added_)
        added_->count_ranks(which == Which::Bound, ranks_in);
    return ranks_in;
}

void Supervisor::on_end_of_added(const AddedProcesses::End &end) {
    if (!end.is_ours || ending_)
        return;
    if (asked_signal_ && end.code == 128 + asked_signal_) // as with the first ones
        return;
    if (exit_code_ == 0)
        exit_code_ = end.code;
    if (!end.is_failure) {
        if (some_are_lost_)
            tell_of_end(end.who.name_space, end.number);
        return;
    }
    know_states_then([&] {
        const std::string where = describe_counts(ranks_in(Which::Bound));
        const bool handled = end.others_may_live && others_handle_errors(end.who);
        if (!end.reason.empty())
            say("{}{}{}", end.reason,
                handled && !where.empty() ? "; the other processes cannot continue without it: "
                                          : "",
                handled ? where : "");
        if (!handled || !where.empty())
            return end_job(end.code ? end.code : 1);
        some_are_lost_ = true;
        tell_of_failure(end.who, end.number);
    });
}

// Ends the job if a process has ended without MPI_Init while others are in it: they would wait for
// ever. Pending decisions come first, because they say more about an end.
void Supervisor::complain_about_waiting() {
    if (ending_ || !decisions_.empty() || !anybody_connected())
        return;
    const int most = std::ranges::max_element(processes_, {}, &Running::times_begun)->times_begun;
    for (size_t i = 0; i < processes_.size(); ++i)
        if (processes_[i].has_ended && processes_[i].times_begun < most &&
            !(spread_ && spread_->is_part_of_none(i))) {
            say("{} ended without calling MPI_Init{}; the other ranks are waiting for it", name(i),
                processes_[i].connected ? fmt::format(" {} times", most) : "");
            return end_job(exit_code_ ? exit_code_ : 1);
        }
}

void Supervisor::on_deadline() {
    if (killing_) {
        kill_all(SIGKILL);
        deadline_s_ = 0;
        return;
    }
    timed_out_ = killing_ = ending_ = true;
    deadline_s_ = now_s() + grace_s;
    know_states_then([this] {
        std::string where = describe_counts(ranks_in(Which::All));
        say("time limit of {} s reached; ending the job{}{}", options_.timeout_s,
            where.empty() ? "" : ": ", where);
        kill_all(SIGTERM, Sender::User);
    });
}

void Supervisor::reap() {
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return;
        take_server_events(); // what it has told before its end
        if (added_)
            on_end_of_added(added_->on_end(pid, status));
        for (size_t i = 0; i < processes_.size(); ++i)
            if (processes_[i].pid == pid && (WIFEXITED(status) || WIFSIGNALED(status))) {
                remove_image_copies(pid);
                processes_[i].has_ended = true;
                --running_;
                on_end(i, status);
            }
    }
}

} // namespace

int run_node_processes(const Options &options, const Plan &plan, const sigset_t &child_mask) {
    if (!plan.has_agents)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    set_job_environment(options);
    if (!plan.has_agents)
        make_output_directory(options);
    return Supervisor(options, plan, child_mask).run();
}

} // namespace mpiexec
