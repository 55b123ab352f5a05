// What a sweep has found.
#pragma once
#include "runs/outcome.h"

#include <optional>
#include <string>
#include <vector>

namespace sweep {

// One number of ranks, run as often as asked for.
struct Count {
    int ranks = 0;
    std::vector<mpiexec::Outcome> runs; // what they printed is kept only where it is still needed
    std::string difference;             // of an output, as a sentence without its subject; "": none

    // Returns the median of the times, the greatest memory, and the first exit code that is not 0.
    double seconds() const;
    size_t memory_bytes() const;
    int exit_code() const;
};

// The first that fails: the smallest number of ranks.
struct Failure {
    int ranks;
    mpiexec::Outcome outcome;
    std::string command; // that repeats it, for a shell
};

struct Result {
    std::vector<Count> counts; // that are complete, in ascending order
    std::optional<Failure> failure;
    size_t asked = 0;              // counts that the sweep was to run
    bool was_side_by_side = false; // runs shared the machine at some time
    bool has_one_process = true;   // for each job, so that the memory is that of all ranks
    int signal = 0;                // that has interrupted the sweep; 0: none
    double seconds = 0;            // of the whole sweep

    // Returns how much faster a count is than the smallest: 0 if one of them has failed.
    double speed_up(const Count &count) const;
    // Returns the exit code of thrum sweep.
    int exit_code() const;
};

} // namespace sweep
