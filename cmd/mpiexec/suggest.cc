// Misspelled options, and options that users of other MPIs bring along.
#include "suggest.h"

#include <algorithm>
#include <numeric>

namespace mpiexec {
namespace {

// Damerau-Levenshtein distance: insertions, deletions, substitutions, swaps of neighbours.
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

struct Refusal {
    const char *name;
    const char *reason;
};

constexpr const char *many_ranks =
    "not needed: more ranks than cores are the normal case here; leave the option out";
constexpr Refusal refusals[] = {
    {"arch", "all hosts are of this kind; leave the option out"},
    {"soft", "the number of ranks must be given as one number, with -n"},
    {"file",
     "implementation-defined in the standard and not used here; -configfile FILE lists programs"},
    {"memory-alloc-kinds", "not supported; leave the option out"},
    {"usize", "use --universe-size N"},
    {"oversubscribe", many_ranks},
    {"map-by-node", "use --map-by node"},
    {"bynode", "use --map-by node"},
    {"byslot", "use --map-by slot"},
    {"rsh-agent", "use --launcher-exec COMMAND"},
    {"bind-to-core", "use --bind-to core"},
    {"allow-run-as-root", "not needed; leave the option out"},
    {"mca", "an option of Open MPI; leave it out"},
    {"env", "use -x VAR=VALUE"},
    {"genv", "use -x VAR=VALUE"},
    {"l", "use --prefix"},
    {"tag-output", "use --prefix"},
    {"prepend-rank", "use --prefix"},
    {"outfile-pattern", "use --output-dir DIR"},
    {"output-filename", "use --output-dir DIR"},
};

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

const char *reason_of_refusal(const std::string &name) {
    std::string word = without_dashes(name);
    for (const Refusal &refusal : refusals)
        if (word == refusal.name)
            return refusal.reason;
    return nullptr;
}

} // namespace mpiexec
