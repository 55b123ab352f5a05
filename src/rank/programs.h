// The program specifications of a job (MPI 5.0 section 11.5: mpiexec -n 2 ./a : -n 3 ./b), as
// mpiexec passes them in THRUM_PROGRAMS. THRUM_RANKS is the sum of their ranks; the process
// executes the first path. mpiexec uses this file, too.
#pragma once
#include <string>
#include <vector>

namespace thrum {

// One program of a job, or of a call of MPI_Comm_spawn.
struct ProgramSpecification {
    int ranks = 0;
    std::string directory; // empty: that of the process or the caller
    std::string path;
    std::vector<std::string> arguments;   // argv
    std::vector<std::string> environment; // NAME=VALUE, besides the process's

    bool operator==(const ProgramSpecification &) const = default;
};

// Writes the value of THRUM_PROGRAMS (base/codec.h).
std::string encode_programs(const std::vector<ProgramSpecification> &programs);
// Returns false if `text` is not such a value.
bool parse_programs(const char *text, std::vector<ProgramSpecification> &programs);

} // namespace thrum
