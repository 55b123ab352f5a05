// Agents: of a job on several hosts, what starts and watches its processes on each. An agent is
// mpiexec in another role (agent.h), started there by a launcher such as ssh. Agents and this
// mpiexec form a tree of one level.
//
// Invariants
// 1. Each side asks the other every second whether it is there; silence of `patience_s` means that
//    it is gone. An agent that has lost mpiexec kills its processes and leaves. So nothing is left
//    on any host, also when a link breaks.
// 2. Agents decide nothing: what the end of a process means for the job is decided here.
#pragma once
#include "agents/link.h"
#include "plan/plan.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <poll.h>
#include <sys/types.h>
#include <thread>

namespace mpiexec {

// The agents of a job. Only the main thread uses it; a thread of its own sends Ping.
class Agents {
public:
    // A message, and the node of its agent.
    struct Arrived {
        int node;
        Message message;
    };

    // Starts an agent on each node of the plan, and lets them start the processes. Throws
    // UsageError if one cannot be started; a signal on `signal_fd` (signalfd) interrupts it.
    Agents(const Options &options, const Plan &plan, const std::string &job_name, int signal_fd);
    ~Agents(); // kills launchers that have not ended
    Agents(const Agents &) = delete;
    Agents &operator=(const Agents &) = delete;

    // Appends what poll() must wait for.
    void add_to(std::vector<pollfd> &fds) const;
    // Returns the messages that have arrived. The last message of a lost agent is Word::Failed.
    std::vector<Arrived> receive();

    void send(int node, const Message &message) {
        agents_[static_cast<size_t>(node)]->link.send(message);
    }

    void send_to_all(const Message &message);

    bool has_ended(int node) const { return agents_[static_cast<size_t>(node)]->ended; }

    // Ends all agents, and waits for that, but not for long; returns their last messages.
    std::vector<Arrived> end();

private:
    // One agent, and the launcher that leads to it.
    struct Agent {
        Agent(pid_t p, int in, int out, int e) : pid(p), link(in, out, false), errors(e) {}

        pid_t pid;
        Link link;
        int errors;                       // standard error of the launcher; -1: its end
        std::string said;                 // read from `errors` until the agent greets
        std::atomic<bool> greeted{false}; // read by the thread that pings
        bool ready = false;               // its processes have started
        bool ended = false;
    };

    void start(int node);
    void wait_until_ready(int signal_fd);
    void start_processes();
    void stop_pinging();
    void collect(std::vector<Arrived> &arrived);
    bool take_from(int node, std::vector<Arrived> &arrived);
    void take_errors(Agent &agent);
    void greet(int node);
    void lose(int node, const std::string &why, std::vector<Arrived> &arrived);
    static void kill_launcher(const Agent &agent);
    std::string remedy_for(const std::string &host) const;
    std::string reason_of_end(Agent &agent, const std::string &host);
    void look_for_silence(std::vector<Arrived> &arrived);
    void keep_pinging();

    const Options &options_;
    const Plan &plan_;
    std::string job_name_;
    double patience_s_;
    std::vector<std::unique_ptr<Agent>> agents_; // by node
    std::vector<Arrived> early_;                 // messages from before all were ready
    double last_look_s_ = 0;
    bool ending_ = false;
    std::mutex mutex_; // guards the next
    bool stop_pinging_ = false;
    std::condition_variable stop_;
    std::thread pinging_;
};

} // namespace mpiexec
