// The PMIx server of a job's node processes on this machine, inside mpiexec or an agent. It serves
// their wire-up (src/wireup), and reports which of them have begun and ended MPI. libpmix is loaded
// only when a job has several node processes. Its callbacks run on a thread of its own; they become
// events, which the main loop takes.
#pragma once
#include "server/spawn_request.h"
#include "wireup/layout.h"

#include <memory>
#include <string>
#include <vector>

namespace mpiexec {

// Something that a client, or another server, wants or has done.
struct ServerEvent {
    enum Kind {
        Connected, // has called MPI_Init
        Finalized, // has finalized MPI: its end is no failure
        Aborted,   // asks that the job end, with `code`
        Fence,     // all processes of a name space on this node have come to a fence, with `data`
        Spawn,     // asks for processes, by `request`
        Wanted,    // somebody here wants what `process`, on another node, has published; `code`
                   // numbers the question
        Found,     // ... of ours: `data`, for a question with this code (see find_data())
        Names,     // about published names: question `code` with `data` (published_names.h)
    } kind;

    int process = 0; // number in its name space; not of a fence
    int code = 0;
    std::string data;
    std::string added_to = ""; // name space of an added process; "": the job's own
    std::shared_ptr<SpawnRequest> request = nullptr;
};

// The server. There is at most one in a process, as libpmix allows.
class WireupServer {
public:
    // The name of a child of mpiexec that is not part of the job: it removes the server's directory
    // at the end.
    static constexpr const char *cleanup_name = "mpiexec-cleanup";

    // Starts the server. `hosts` are the names of the nodes in `layout`; clients are the processes
    // on `node`. Throws UsageError if libpmix is missing or does not start.
    WireupServer(const std::string &job_name, const std::vector<thrum::ProcessPlace> &layout,
                 const std::vector<std::string> &hosts, int node);
    // Removes the server's directory. The server itself ends with the process.
    ~WireupServer();
    WireupServer(const WireupServer &) = delete;
    WireupServer &operator=(const WireupServer &) = delete;

    // Returns what `process` needs in its environment, as NAME=VALUE.
    std::vector<std::string> environment_of(int process);

    // Makes spawned processes on `node` clients, in a name space of their own. `layout` and `hosts`
    // are theirs, as for the constructor. Throws UsageError.
    void announce_added(const std::string &name_space,
                        const std::vector<thrum::ProcessPlace> &layout,
                        const std::vector<std::string> &hosts, int node);
    std::vector<std::string> environment_of_added(const std::string &name_space, int process);

    int descriptor() const; // readable when there are events
    std::vector<ServerEvent> take_events();

    // Reports to the connected clients of `name_space` ("": the job's own) that its process
    // `number`, on whatever node, has ended.
    void tell_of_end(const std::string &name_space, int number);
    // Reports to all clients that the process has failed. It is node process `in_job` for
    // src/wireup.
    void tell_of_failure(const std::string &name_space, int number, int in_job);

    // Completes a fence of a name space ("": the job's own) on several nodes, with the `data` of
    // all of them. With one node fences complete themselves.
    void finish_fence(const std::string &name_space, const std::string &data);

    // Looks up what `process`, a client, has published. The answer is an event Found, with `asker`,
    // which may be any text, and an end of line before the data.
    void find_data(int process, int question, const std::string &asker);
    // Answers a question of a client of ours; empty `data`: nothing was found.
    void finish_question(int question, const std::string &data);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace mpiexec
