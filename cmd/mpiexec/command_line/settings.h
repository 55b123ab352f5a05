// Settings (base/settings.ini) as options, with the environment as their default.
#pragma once
#include "plan/options.h"

#include <CLI/CLI.hpp>

namespace mpiexec {

// Declares an option for each setting that has one. Parsing throws UsageError.
void declare_settings(CLI::App &app, Options &options);

// Takes the settings that the command line did not give from the environment. Throws UsageError.
void read_environment_settings(Options &options);

// The variables that the user may set, for the help.
std::string list_of_variables();

} // namespace mpiexec
