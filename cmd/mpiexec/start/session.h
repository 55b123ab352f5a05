// Launchers behind which ranks are threads all the same: `mpiexec -n 4 gdb ./a.out` is one session
// with all ranks of ./a.out, also behind other launchers (xterm -e gdb ./a.out). With --threads or
// --ranks-per-process any launcher runs once for all ranks of a process.
#pragma once
#include "plan/options.h"

namespace mpiexec {

// Returns whether the user has asked for ranks as threads.
bool asks_for_threads(const Options &options);

// Finds out whether the only program of the job is such a launcher, and sets
// ProgramSpec::is_passed. Returns true if it is a debugger that reads commands from the terminal,
// where Ctrl-C is for it alone. Throws UsageError if several debuggers would read from one
// terminal.
bool find_session(Options &options);

// Returns whether the program is a debugger that reads commands, or leads to one: our library must
// not change its signals.
bool leads_to_dialogue(const ProgramSpec &spec);

// Adds to the command line of a gdb the option that lets it load our commands for ranks
// (docs/debugging.md).
void allow_commands_for_ranks(std::vector<std::string> &argv, const std::string &library);

} // namespace mpiexec
