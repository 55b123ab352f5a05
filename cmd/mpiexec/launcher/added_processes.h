// Processes that the job's processes request while they run (MPI_Comm_spawn), on one host: starts
// them, forwards their output, and sees their end. For the loop of mpiexec (supervisor.cc), or of
// the server of a process that was started without mpiexec (serve.cc). With several hosts
// spread_processes.h does this.
#pragma once
#include "plan/options.h"
#include "server/families.h"
#include "server/wireup_server.h"
#include "start/ending.h"
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

// All spawned processes of the job. The references must outlive it. Not for use by several threads.
class AddedProcesses {
public:
    AddedProcesses(const Options &options, WireupServer &server, const std::string &job_name,
                   const sigset_t &child_mask)
        : options_(options), server_(server), job_name_(job_name), child_mask_(child_mask) {}

    // Handles an event of one of them, or a request for new ones, which it answers.
    void on_event(const ServerEvent &event);

    // What the end of a process means.
    struct End {
        bool is_ours = false; // it was one of the spawned processes
        bool is_failure = false;
        int code = 0;       // its exit code, or 128 + signal
        std::string reason; // a sentence to print, unless ""
        Relative who;
        int number = 0;               // in its name space
        bool others_may_live = false; // no process waits for it in MPI_Comm_spawn
    };

    // Handles the end of process `pid`, which waitpid() has returned with `status`.
    End on_end(pid_t pid, int status);

    // Returns how many have not ended.
    int running() const { return running_; }

    const Families &families() const { return families_; }

    // Returns whether all running ones that the loss of `lost` concerns have error handlers that
    // return. Reads their status pages.
    bool handle_errors(const Relative &lost) const;
    // Adds how many ranks of the running ones are where. `only_bound`: only of those that cannot go
    // on without other processes.
    void count_ranks(bool only_bound, std::map<std::string, int> &ranks_in) const;

    void kill_all(int signal, Sender sender = Sender::Mpiexec);

    // Appends what poll() must wait for. pump() reads what has arrived, given the same part of the
    // array; it returns false if the reader of mpiexec's output has gone.
    void add_to(std::vector<pollfd> &fds) const;
    bool pump(const pollfd *fds);
    // Writes the rest of the output, when all have ended.
    void finish();

private:
    // One spawned process. It stays until its streams have ended, too.
    struct Process {
        pid_t pid;
        std::string name_space;
        int number;       // in its name space
        int in_job;       // among the node processes of the job; -1: not known
        std::string name; // for messages
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
