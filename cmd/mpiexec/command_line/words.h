// The words of the command line: which are options, ours or another MPI's, and where the program
// begins. The result is what CLI11 can parse.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mpiexec {

using Words = std::vector<std::string>;

// Splits `words`, of one program specification, into the options, spelled as CLI11 wants them, and
// `program` with its arguments. Appends to `notes` what to print about options that are ignored.
// Throws UsageError.
Words read_words(const CLI::App &app, const Words &words, Words &program, Words &notes);

// Splits at every word ":" (MPI 5.0 section 11.5, form A).
std::vector<Words> split_at_colons(const Words &words);

// Returns the program specifications of a -configfile (form B). Throws UsageError.
std::vector<Words> read_config_file(const std::string &path);

} // namespace mpiexec
