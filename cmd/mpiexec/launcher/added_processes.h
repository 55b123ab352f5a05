// Processes that the job's processes have asked for while they run (MPI_Comm_spawn): starts them,
// forwards their output, and sees their end. For the loop of mpiexec (node_processes.cc), or of the
// server of a process that was started without mpiexec (serve.cc).
#pragma once
#include "plan/options.h"
#include "server/families.h"
#include "server/wireup_server.h"
#include "start/forward.h"
#include "start/status_file.h"

#include <csignal>
#include <list>
#include <map>
#include <poll.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace mpiexec {

class AddedProcesses {
public:
    AddedProcesses(const Options &options, WireupServer &server, const std::string &job_name,
                   const sigset_t &child_mask)
        : options_(options), server_(server), job_name_(job_name), child_mask_(child_mask) {}

    // Takes an event of theirs, or a request for them.
    void on_event(const ServerEvent &event);

    // The end of one.
    struct End {
        bool is_ours = false;
        bool is_failure = false;
        int code = 0;       // its exit code, or 128 + signal
        std::string reason; // to be said, unless ""
        Relative who;
        int number = 0;               // in its name space
        bool others_may_live = false; // nobody waits for it in MPI_Comm_spawn
    };

    End on_end(pid_t pid, int status);

    int running() const { return running_; }

    const Families &families() const { return families_; }

    // What those that run do, of their status pages: all whom the loss of `lost` concerns have
    // error handlers that return; how many ranks are where, or only of
    // those that cannot go on without others.
    bool handle_errors(const Relative &lost) const;
    void count_ranks(bool only_bound, std::map<std::string, int> &ranks_in) const;

    void kill_all(int signal);

    // For poll(): appends what it waits for; pump() reads what has come, given the same part of the
    // array. False if nobody reads mpiexec's output any more.
    void add_to(std::vector<pollfd> &fds) const;
    bool pump(const pollfd *fds);
    // All have ended: writes the rest.
    void finish();

private:
    struct Process {
        pid_t pid;
        std::string name_space;
        int number; // in it
        int in_job;
        std::string name;
        Forward out, err;
        StatusFile status;
        bool connected = false; // has begun MPI
        bool finalized = false;
        bool has_ended = false;
    };

    void start(SpawnRequest &request, const std::string &parent);
    void end_all_of(const std::string &name_space);
    void start_one(const SpawnRequest::Program &program, const std::string &name_space, int number,
                   int in_job);

    const Options &options_;
    WireupServer &server_;
    std::string job_name_;
    sigset_t child_mask_;
    Families families_;
    int name_spaces_ = 0;
    int running_ = 0;
    std::list<Process> processes_;
};

} // namespace mpiexec
