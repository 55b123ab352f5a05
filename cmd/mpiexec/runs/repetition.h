// The command line of one run of --fuzz or --explore: that of the user without these options, but
// with others.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace mpiexec {

// Returns the words of a command line (without that of mpiexec itself) that are not --fuzz,
// --explore, an option that goes with them, --seed, --record, or a value of theirs. The program
// begins behind the first `option_words`.
std::vector<std::string> words_of_run(const std::vector<std::string> &words, size_t option_words);

// Returns the command line of a run, indented, as a shell reads it: `words` begin with the name of
// mpiexec, `options` are those of the run, `input` is the file of its standard input ("": none).
std::string command_of_run(const std::vector<std::string> &words, size_t option_words,
                           const std::vector<std::string> &options, const std::string &input);

// Returns a word as a shell reads it.
std::string quoted(const std::string &word);

} // namespace mpiexec
