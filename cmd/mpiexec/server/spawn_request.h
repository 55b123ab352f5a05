// What a process requests from mpiexec's PMIx server by PMIx_Spawn (MPI_Comm_spawn).
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiexec {

// A request, with the function that answers it.
struct SpawnRequest {
    // Processes of one program.
    struct Program {
        int processes = 1;
        std::string path;
        std::vector<std::string> arguments; // with argv[0]
        std::vector<std::string> variables; // NAME=VALUE, the whole environment
        std::string directory;              // "": mpiexec's own
        std::string hosts;                  // names separated by commas; "": anywhere
    };

    std::vector<Program> programs;
    // Why no process of the request runs. `answer` must be called once, with the name of the new
    // processes' PMIx name space, or "" and the failure.
    enum class Failure { NotFound, NotStarted, NoSuchHost, HostLost };
    std::function<void(const std::string &name_space, Failure failure)> answer;

    // Convert the programs to and from text, for another mpiexec. decode() throws UsageError.
    std::string encode() const;
    void decode(std::string_view text);

    // Returns the number of processes of all programs.
    int count() const {
        int all = 0;
        for (const Program &program : programs)
            all += program.processes;
        return all;
    }
};

} // namespace mpiexec
