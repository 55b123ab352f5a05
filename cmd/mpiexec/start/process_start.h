// Starts the node processes of one node, with the PMIx server of that node. Used by mpiexec (one
// host) and by agents.
#pragma once
#include "plan/plan.h"
#include "server/wireup_server.h"
#include "start/status_file.h"

#include <csignal>
#include <sys/types.h>

namespace mpiexec {

// A process that has been started, with our ends of its streams, which the caller owns.
struct Started {
    pid_t pid = -1;
    int out = -1, err = -1; // to read what it writes; -1: that does not pass through us
    int in = -1;            // to write what it reads; -1: that comes from elsewhere
    StatusFile status;
};

// Raises the limit of this process on open files, if serving the processes of `node` needs that.
// Called before anything is started. Throws UsageError if it may not.
void check_descriptors(const Plan &plan, int node);
// Sets the limit back, in a child: programs must not inherit it.
void restore_descriptor_limit();

// Starts the processes of a plan on one node.
class Launcher {
public:
    // Starts the PMIx server for the processes of `plan` on `node`, which is this machine. For an
    // agent (agent.h) all output is read and standard input written; otherwise processes may have
    // those of mpiexec. Throws UsageError. The references must outlive it.
    Launcher(const Options &options, const Plan &plan, int node, const std::string &job_name,
             const sigset_t &child_mask);

    // Starts process `number` of the plan, with `status` as its status page. Throws UsageError.
    Started start(int number, StatusFile status);

    WireupServer &server() { return server_; }

private:
    // Standard input: the process's descriptor, and our end of a pipe to it.
    struct Input {
        int own = -1, ours = -1;
    };

    std::vector<std::string> environment_of(int number, const StatusFile &status);
    std::pair<int, int> make_output(int number, const char *suffix);
    Input open_input(const PlannedProcess &process) const;
    [[noreturn]] void become(const PlannedProcess &process, const std::vector<char *> &argv,
                             std::vector<char *> &envp, int in, int out, int err, int error_fd,
                             pid_t parent);

    const Options &options_;
    const Plan &plan_;
    int node_;
    const sigset_t &child_mask_;
    WireupServer server_;
};

// Returns a name that is unique among the jobs of a machine.
std::string make_job_name();
// Returns what --prefix puts before the lines of `process`; "" if the process does that itself.
std::string prefix_of(const Options &options, const PlannedProcess &process);
// Returns the rank that reads standard input; -1: none, or all.
int rank_of_input(const Options &options);

} // namespace mpiexec
