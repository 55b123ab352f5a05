// What the ranks of a node process do, or did when it died. It is read from the status page
// (status_file.h); agents send it for processes on other hosts.
#pragma once
#include <map>
#include <string>

namespace mpiexec {

// A snapshot of a status page.
struct ProcessState {
    bool handles_errors = false; // one of its error handlers returns
    bool ends_job = false;       // it ends, and wants the whole job to end
    bool is_bound = false;       // a rank of it cannot go on when another process is lost
    int output_error = 0;        // errno of a failed write of its ranks' output; 0: none
    // For the end of a sentence: "; MPI call: MPI_Recv". "" if nothing is known.
    std::string last_calls;
    // How many ranks are "in MPI_Recv", "outside MPI", "ended". Empty if nothing is known.
    std::map<std::string, int> ranks_in;

    // Returns whether a rank is in MPI_Init: others may wait for it in MPI_Comm_spawn.
    bool is_beginning() const;
};

// Returns the exit code that a shell gives for a status of waitpid().
int exit_code_of(int status);
// Returns a sentence: "rank 1 (./a.out on node7) was ended by signal 9 (SIGKILL: Killed); MPI call:
// MPI_Recv". `connected`: it had begun MPI; `rest`: for the end of the sentence.
std::string describe_failure(const std::string &name, int status, bool connected,
                             const std::string &rest);

// Returns ProcessState::ranks_in as text, largest first: "3 ranks in MPI_Recv, 1 outside MPI".
std::string describe_counts(const std::map<std::string, int> &ranks_in);
// Returns whether a rank is in an MPI call, and not still in MPI_Init.
bool some_wait(const std::map<std::string, int> &ranks_in);

// Convert a state to and from the text that agents send. decode_state() throws UsageError.
std::string encode(const ProcessState &state);
ProcessState decode_state(const std::string &text);

} // namespace mpiexec
