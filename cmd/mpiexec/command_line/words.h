// The words of the command line: which are options, ours or another MPI's, and where the program
// begins.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mpiexec {

using Words = std::vector<std::string>;

// Splits `words`, of one program specification, into the options, spelled as CLI11 wants them, and
// `program` with its arguments. Appends what to tell about options that are ignored to `notes`.
// Throws UsageError.
Words read_words(const CLI::App &app, const Words &words, Words &program, Words &notes);

// Splits at every word ":" (MPI 5.0 section 11.5, form A).
std::vector<Words> split_at_colons(const Words &words);

// The program specifications of a -configfile (form B). Throws UsageError.
std::vector<Words> read_config_file(const std::string &path);

} // namespace mpiexec
