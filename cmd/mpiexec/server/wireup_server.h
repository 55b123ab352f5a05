// The PMIx server of a job's node processes on this machine, in mpiexec itself: lends itself to
// their wire-up (src/wireup), and tells which of them have begun and ended MPI. libpmix is loaded
// only when a job has several node processes. Its calls arrive on a thread of its own; here they
// become events.
#pragma once
#include "server/spawn_request.h"
#include "wireup/layout.h"

#include <memory>
#include <string>
#include <vector>

namespace mpiexec {

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

    int process = 0; // not of a fence; of the name space
    int code = 0;
    std::string data;
    std::string added_to = ""; // name space of an added process; "": the job's own
    std::shared_ptr<SpawnRequest> request = nullptr;
};

class WireupServer {
public:
    // Of a child of mpiexec that is none of the job: it removes the server's directory at the end.
    static constexpr const char *cleanup_name = "mpiexec-cleanup";

    // Starts the server. `hosts` are the names of the nodes in `layout`; clients are the processes
    // on `node`. Throws UsageError if there is no libpmix, or it does not start.
    WireupServer(const std::string &job_name, const std::vector<thrum::ProcessPlace> &layout,
                 const std::vector<std::string> &hosts, int node);
    // Stops it and removes its directory.
    ~WireupServer();
    WireupServer(const WireupServer &) = delete;
    WireupServer &operator=(const WireupServer &) = delete;

    // What `process` needs in its environment, as NAME=VALUE.
    std::vector<std::string> environment_of(int process);

    // Processes that are added: takes those on `node` for clients, in a name space of their own.
    // `layout` and `hosts` are theirs, as those of the constructor.
    void announce_added(const std::string &name_space,
                        const std::vector<thrum::ProcessPlace> &layout,
                        const std::vector<std::string> &hosts, int node);
    std::vector<std::string> environment_of_added(const std::string &name_space, int process);

    int descriptor() const; // readable when there are events
    std::vector<ServerEvent> take_events();

    // Tells those that have connected that process `number` of `name_space` ("": the job's own), on
    // whatever node, is gone: those of this name space.
    void tell_of_end(const std::string &name_space, int number);
    // Tells all that it has failed. It is node process `in_job` for src/wireup.
    void tell_of_failure(const std::string &name_space, int number, int in_job);

    // Answers a fence of processes of a name space ("": the job's own) on several nodes: `data` of
    // all of them. With one node fences answer themselves.
    void finish_fence(const std::string &name_space, const std::string &data);

    // Asks what `process` of ours has published; the answer is an event Found, with `asker`, which
    // may be any text, and an end of line before the data.
    void find_data(int process, int question, const std::string &asker);
    // Answers a question of ours; nothing was found if `data` is empty.
    void finish_question(int question, const std::string &data);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace mpiexec
