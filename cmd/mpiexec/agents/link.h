// Link: messages between mpiexec and the agent on a node (agent.h), over the two pipes that the
// launcher, such as ssh, makes of the agent's standard input and output. No port is opened, and a
// side that loses its peer reads EOF.
//
// The agent first writes a line with its version. The shell there may have written anything before
// it. Then messages follow, each a head of fixed size and its data.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace mpiexec {

// What a message says. `process` is the number of a node process of the job.
enum class Word : uint8_t {
    // mpiexec to agent
    Start,      // data: a JobDescription
    Signal,     // value: for all processes of the node; process: its Sender
    Input,      // data: for the process that reads standard input; "": its end
    FenceDone,  // data (base/codec.h): name space ("": the job's own), data of all nodes
    Ask,        // for State of all processes; value: number of the question
    Lost,       // a process, wherever it was: those of this node are told; data: name space
                // ("": the job's own), number there, number among the node processes of the job,
                // or -1 if it has not failed
    Find,       // what `process` has published; value: number of the question; data: who asks
    Found,      // value: number of the question; data: what was found
    SpawnDone,  // value: number of the question; process: why not (SpawnRequest::Failure); data:
                // the name space, or "" if none runs
    StartAdded, // value: number of the request; data: an AddedGroup
    EndAdded,   // data: name space whose processes are killed
    NamesDone,  // value: number of the question; data: the answer (published_names.h)
    End,        // kill what is left and leave
    Ping,       // answered by Pong: both know that the other is there
    // agent to mpiexec
    Ready,  // all processes have started
    Failed, // value: exit code; data: a sentence. The agent leaves
    Notice, // data: lines for standard error
    Output, // of `process`; value: 1 or 2, the descriptor
    Event,  // of the PMIx server, about `process`; value: code; data: kind (a digit), name space
            // ("": the job's own), an end of line, data
    AddedStarted, // value: number of the request; process: 0, or errno
    Ended,        // `process`; value: as waitpid() says it
    State,        // of `process`; data: a ProcessState
    Answered,     // State has been sent of all; value: number of the question
    InputTaken,
    Observed, // a part of a file of what processes have noted (agents/host_observations.h)
    Pong,
};

// What mpiexec is started with to be an agent.
inline constexpr const char *agent_argument = "--thrum-agent";

// Value of Word::Ended: the process could not be started.
inline constexpr int never_started = -1;

// One message; what its fields mean depends on `word`.
struct Message {
    Word word;
    int process = 0;
    int value = 0;
    std::string data = {};
};

// One side of a connection.
class Link {
public:
    // Owns both descriptors and makes them non-blocking. `is_agent`: sends the greeting, instead of
    // waiting for it.
    Link(int in, int out, bool is_agent);
    ~Link();
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    int in() const { return in_; }

    int out() const { return out_; }

    // Sends a message. Never waits: what the pipe does not take is kept until flush(). Any thread.
    void send(const Message &message);
    // Writes what is kept, as far as possible. Returns false if the other side has closed the pipe.
    // Any thread.
    bool flush();
    size_t unsent_bytes();

    // Reads once, and appends the complete messages to `messages`. Returns false at the end of the
    // pipe.
    bool receive(std::vector<Message> &messages);

    // Returns the agent's version; "" before it has greeted.
    const std::string &version() const { return version_; }

    // Returns when something was last received; forgive() makes silence until `now_s` not count.
    double last_heard_s() const { return last_heard_s_; }

    void forgive(double now_s) { last_heard_s_ = now_s; }

private:
    void take_greeting();

    int in_, out_;
    bool greeted_;
    std::string version_;
    std::string arrived_;
    double last_heard_s_;
    std::mutex mutex_; // guards the two below
    std::string unsent_;
    bool broken_ = false;
};

} // namespace mpiexec
