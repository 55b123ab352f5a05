// What the user asks for on the command line of thrum sweep, checked.
#pragma once
#include "command_line/words.h"
#include "comparison.h"
#include "plan/options.h"

#include <string>
#include <vector>

namespace sweep {

struct SweepOptions {
    std::vector<int> counts;       // numbers of ranks, in ascending order
    int repetitions = 1;           // of each count
    int jobs = 0;                  // runs at once; 0: as many as the cores are enough for
    bool stops_on_failure = false; // greater counts are not run then
    bool compares_output = false;
    Tolerance tolerance;
    std::vector<std::string> ignored; // expressions for lines that are not compared
    std::string json_file;            // "": none, "-": standard output
    std::string picture_file;         // "": none
    mpiexec::Words passed;            // options of mpiexec, for each run
    mpiexec::Words program;           // with its arguments
    // What mpiexec makes of `passed` and `program` with the greatest count. The program is found.
    mpiexec::Options job;
};

// Returns the options. Throws UsageError. --help prints and exits.
SweepOptions parse_options(const mpiexec::Words &words);

} // namespace sweep
