// The program specifications of a job (MPI 5.0 section 11.5: mpiexec -n 2 ./a : -n 3 ./b), as
// mpiexec hands them over in THRUM_PROGRAMS (base/settings.h).
#pragma once
#include <string>
#include <vector>

namespace thrum {

struct ProgramSpecification {
    int ranks = 0;
    std::string directory; // empty: the process's own
    std::string path;
    std::vector<std::string> arguments;   // argv
    std::vector<std::string> environment; // NAME=VALUE, besides the process's
};

// False if `text` is not in the form that base/settings.h describes.
bool parse_programs(const char *text, std::vector<ProgramSpecification> &programs);

} // namespace thrum
