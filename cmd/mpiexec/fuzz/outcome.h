// How a run of --fuzz has ended.
#pragma once
#include <string>

namespace mpiexec {

struct Outcome {
    int exit_code = 0;          // of the mpiexec that ran it; 128 + N: signal N has ended that one
    std::string output, errors; // what went to standard output and to standard error
    bool is_cut = false;        // more was printed than is kept
    double duration_s = 0;
};

} // namespace mpiexec
