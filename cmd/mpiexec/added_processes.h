// Processes that the job's processes have asked for while they run (MPI_Comm_spawn): starts them,
// forwards their output, and sees their end. For the loop of mpiexec (node_processes.cc), or of the
// server of a process that was started without mpiexec (serve.cc).
#pragma once
#include "forward.h"
#include "options.h"
#include "wireup_server.h"

#include <csignal>
#include <list>
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

    // What their end means for the job.
    struct Verdict {
        bool is_ours = false;
        bool ends_job = false;
        int code = 0;       // its exit code, or 128 + signal
        std::string reason; // to be said, unless ""
    };

    Verdict on_end(pid_t pid, int status);

    int running() const { return running_; }

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
        std::string name;
        Forward out, err;
        bool connected = false; // has begun MPI
        bool finalized = false;
        bool has_ended = false;
    };

    void start(SpawnRequest &request);
    void end_all_of(const std::string &name_space);
    void start_one(const SpawnRequest::Program &program, const std::string &name_space, int number);

    const Options &options_;
    WireupServer &server_;
    std::string job_name_;
    sigset_t child_mask_;
    int name_spaces_ = 0;
    int running_ = 0;
    std::list<Process> processes_;
};

} // namespace mpiexec
