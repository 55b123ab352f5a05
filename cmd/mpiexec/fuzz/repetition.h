// The command line of one run of --fuzz: that of the user without --fuzz, but with a seed.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace mpiexec {

// A schedule: SEED or SEED:CHOICES, as --seed takes it.
struct Schedule {
    unsigned long long seed = 1;
    std::optional<unsigned long long> choices; // that follow the seed; the later ones do not

    std::string text() const;
};

// Returns the words of a command line (without that of mpiexec itself) that are not --fuzz,
// --fuzz-compare, --seed or a value of theirs. The program begins behind the first `option_words`.
std::vector<std::string> words_without_fuzz(const std::vector<std::string> &words,
                                            size_t option_words);

// Returns a word as a shell reads it.
std::string quoted(const std::string &word);

} // namespace mpiexec
