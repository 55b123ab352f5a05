// Reads the command line of mpiexec (MPI 5.0 section 11.5).
#pragma once
#include "command_line/words.h"
#include "plan/options.h"

#include <functional>

namespace mpiexec {

// Returns the options, completed by the environment and checked. Throws UsageError. --help,
// --help-options and --version print and exit.
Options parse_command_line(int argc, char **argv);

// The command line of a command that has options of its own and passes the others on to mpiexec.
struct PassedWords {
    Words own, passed; // options, each spelled as CLI11 wants it; mpiexec reads that, too
    Words program;     // with its arguments
    Words notes;       // about options that are ignored
};

// Splits `words` into the options that `declare_own` declares, which may replace some of mpiexec's,
// those of mpiexec, whose values are not looked at, and the program. Throws UsageError.
PassedWords split_passed_words(const std::function<void(CLI::App &)> &declare_own,
                               const Words &words);

} // namespace mpiexec
