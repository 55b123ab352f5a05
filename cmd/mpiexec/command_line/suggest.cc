// Finds the closest name (command_line/suggest.h). A third of the letters may differ; an
// abbreviation of three letters or more counts as close.
#include "command_line/suggest.h"

#include <algorithm>
#include <numeric>

namespace mpiexec {
namespace {

// Returns the Damerau-Levenshtein distance: insertions, deletions, substitutions, swaps of
// neighbours.
size_t edit_distance(const std::string &a, const std::string &b) {
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i)
        d[i][0] = i;
    std::iota(d[0].begin(), d[0].end(), 0);
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j) {
            d[i][j] = std::min(
                {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

std::string without_dashes(const std::string &name) {
    size_t start = name.find_first_not_of('-');
    return start == std::string::npos ? "" : name.substr(start);
}

} // namespace

std::string closest_option(const std::string &name, const std::vector<std::string> &known) {
    std::string word = without_dashes(name), best;
    size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
    for (const std::string &candidate : known) {
        std::string stem = without_dashes(candidate);
        size_t distance =
            word.size() >= 3 && stem.starts_with(word) ? 1 : edit_distance(word, stem);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace mpiexec
