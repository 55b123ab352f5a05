#include "check/finding.h"

#include "base/check.h"
#include "base/spinlock.h"
#include "comm/call_names.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace thrum {
namespace {

std::atomic<size_t> reported{0};

// Returns `sentence` with `name` in place of "%s".
std::string fill_in(std::string sentence, const std::string &name) {
    const size_t place = sentence.find("%s");
    return place == std::string::npos ? sentence : sentence.replace(place, 2, name);
}

// Returns "MPI_Send at a.c:10 in main", with "rank 1: " before it unless `rank` is negative.
std::string place_text(const std::string &name, const CallPlace &place, int rank) {
    const std::string text = name + " at " + site_of_call(place);
    return rank < 0 ? text : "rank " + std::to_string(rank) + ": " + text;
}

// Returns whether no warning has named these two lines. A line may have many addresses, in a macro
// or an unrolled loop.
bool is_first_of_lines(PairMistake mistake, const std::string &first, const std::string &second) {
    static SpinLock
        lock; // guards the lines, which are never freed: threads may report until the end
    static auto *const named = new std::set<std::tuple<PairMistake, std::string, std::string>>;
    const LockGuard guard(lock);
    return named->emplace(mistake, std::min(first, second), std::max(first, second)).second;
}

} // namespace

void report_finding(const Finding &finding) {
    const bool ascends = number_of_call(finding.first) <= number_of_call(finding.second);
    if (!is_first_warning(finding.mistake, ascends ? finding.first : finding.second,
                          ascends ? finding.second : finding.first))
        return;
    if (!is_first_of_lines(finding.mistake, site_of_call(finding.first),
                           site_of_call(finding.second)))
        return;
    reported.fetch_add(1, std::memory_order_relaxed);
    const int rank = current_rank().world_rank;
    const bool has_two_ranks = finding.first_rank >= 0 && finding.first_rank != rank;
    const std::string first =
        finding.first_access ? finding.first_access : name_of_call(finding.first);
    const std::string second = finding.access ? finding.access : name_of_call(finding.second);
    report("warning: rank %d: %s: %s (%s; %s)", rank, second.c_str(),
           fill_in(finding.sentence, finding.first_access ? "the " + first : first).c_str(),
           place_text(first, finding.first, has_two_ranks ? finding.first_rank : -1).c_str(),
           place_text(second, finding.second, has_two_ranks ? rank : -1).c_str());
}

void report_finding(const std::string &text) {
    reported.fetch_add(1, std::memory_order_relaxed);
    std::istringstream lines(text);
    std::string line;
    for (const char *prefix = "warning: "; std::getline(lines, line); prefix = "")
        report("%s%s", prefix, line.c_str());
}

size_t findings_reported() {
    return reported.load(std::memory_order_relaxed);
}

} // namespace thrum
