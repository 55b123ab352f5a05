// What the ranks of a node process do, or did when it died: of its status page (status_file.h),
// also as agents tell it of processes on other hosts.
#pragma once
#include <map>
#include <string>

namespace mpiexec {

struct ProcessState {
    bool handles_errors = false; // some error handler of it returns
    bool ends_job = false;       // it ends, and wants the whole job to end
    bool is_bound = false;       // some rank of it cannot go on when another process is lost
    int output_error = 0;        // errno of a write of what its ranks print; 0: none has failed
    // For the end of a sentence: "; MPI call: MPI_Recv". "" if nothing is known.
    std::string last_calls;
    // How many ranks are "in MPI_Recv", "outside MPI", "ended". Empty if nothing is known.
    std::map<std::string, int> ranks_in;

    bool is_beginning() const; // in MPI_Init: others may wait for it in MPI_Comm_spawn
};

// The exit code of a shell for what waitpid() says.
int exit_code_of(int status);
// "rank 1 (./a.out on node7) was ended by signal 9 (SIGKILL: Killed); MPI call: MPI_Recv".
// `connected`: it had begun MPI; `rest`: for the end of the sentence.
std::string describe_failure(const std::string &name, int status, bool connected,
                             const std::string &rest);

// Of ProcessState::ranks_in: "3 ranks in MPI_Recv, 1 outside MPI".
std::string describe_counts(const std::map<std::string, int> &ranks_in);

std::string encode(const ProcessState &state);
ProcessState decode_state(const std::string &text);

} // namespace mpiexec
