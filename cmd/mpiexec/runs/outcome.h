// How a run of --fuzz, --explore or thrum sweep has ended, and what it has printed.
#pragma once
#include <cstddef>
#include <cstdio>
#include <string>

namespace mpiexec {

struct Outcome {
    int exit_code = 0;          // of the mpiexec that ran it; 128 + N: signal N has ended that one
    std::string output, errors; // what went to standard output and to standard error
    bool is_cut = false;        // more was printed than is kept
    double duration_s = 0;
    size_t memory_bytes = 0; // that the largest process of the job had resident at most
};

// Prints what the run has printed.
inline void print(const Outcome &outcome) {
    std::fflush(stderr);
    std::fwrite(outcome.output.data(), 1, outcome.output.size(), stdout);
    std::fflush(stdout);
    std::fwrite(outcome.errors.data(), 1, outcome.errors.size(), stderr);
}

} // namespace mpiexec
