// What a process asks mpiexec's PMIx server for by PMIx_Spawn (MPI_Comm_spawn).
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiexec {

struct SpawnRequest {
    struct Program {
        int processes = 1;
        std::string path;
        std::vector<std::string> arguments; // with argv[0]
        std::vector<std::string> variables; // NAME=VALUE, all
        std::string directory;              // "": mpiexec's own
        std::string hosts;                  // names with commas between; "": anywhere
    };

    std::vector<Program> programs;
    // The answer: the name of the new processes' PMIx name space, or "": `why` none runs.
    enum class Failure { NotFound, NotStarted, NoSuchHost, HostLost };
    std::function<void(const std::string &name_space, Failure failure)> answer;

    // Of the programs, for another mpiexec.
    std::string encode() const;
    void decode(std::string_view text);

    int count() const {
        int all = 0;
        for (const Program &program : programs)
            all += program.processes;
        return all;
    }
};

} // namespace mpiexec
