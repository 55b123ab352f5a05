// Link: messages between mpiexec and the agent on a node (agent.h), over the two pipes that the
// launcher, such as ssh, makes of the agent's standard input and output. No port is opened, and
// who loses the other sees the end of a file.
//
// The agent's first words are a line with its version, before which the shell there may have
// written anything.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace mpiexec {

enum class Word : uint8_t {
    // mpiexec to agent
    Start,      // data: a JobDescription
    Signal,     // value: for all processes of the node
    Input,      // data: for who reads standard input; "": its end
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
    Pong,
};

// What mpiexec is started with to be an agent.
inline constexpr const char *agent_argument = "--thrum-agent";

// Value of Word::Ended: the process could not be started.
inline constexpr int never_started = -1;

struct Message {
    Word word;
    int process = 0;
    int value = 0;
    std::string data = {};
};

class Link {
public:
    // Owns both descriptors. `is_agent`: greets, instead of waiting for that.
    Link(int in, int out, bool is_agent);
    ~Link();
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    int in() const { return in_; }

    int out() const { return out_; }

    // Never waits: what does not fit is kept until flush(). Any thread.
    void send(const Message &message);
    // False: nobody reads there any more.
    bool flush();
    size_t unsent_bytes();

    // Adds what has come to `messages`. False at the end of the file.
    bool receive(std::vector<Message> &messages);

    // Of the agent; "" before it has greeted.
    const std::string &version() const { return version_; }

    double last_heard_s() const { return last_heard_s_; }

    void forgive(double now_s) { last_heard_s_ = now_s; } // silence until now

private:
    void take_greeting();

    int in_, out_;
    bool greeted_;
    std::string version_;
    std::string arrived_;
    double last_heard_s_;
    std::mutex mutex_; // guards the next
    std::string unsent_;
    bool broken_ = false;
};

} // namespace mpiexec
