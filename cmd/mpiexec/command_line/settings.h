// Settings (base/settings.ini) as options, with the environment as their default. One table serves
// both, so a new setting needs no code here.
#pragma once
#include "plan/options.h"

#include <CLI/CLI.hpp>

namespace mpiexec {

// Declares an option for each setting that has one. Parsing throws UsageError.
void declare_settings(CLI::App &app, Options &options);

// Takes the settings that the command line did not give from the environment. Throws UsageError.
void read_environment_settings(Options &options);

// Returns the variables that the user may set, in lines for the help.
std::string list_of_variables();

} // namespace mpiexec
