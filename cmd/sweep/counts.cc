// See sweep/counts.h.
#include "counts.h"

#include "plan/usage_error.h"
#include "runs/progress.h"

#include <charconv>
#include <fmt/core.h>
#include <set>
#include <string_view>

namespace sweep {
namespace {

using mpiexec::UsageError;
using mpiexec::with_commas;

constexpr long ranks_max = 10'000'000; // of a job
constexpr size_t counts_max = 10'000;

UsageError wrong(std::string_view item, const std::string &text) {
    return {2, fmt::format("-n {}: {}", item, text)};
}

// Returns the number that a part of `item` is.
long parse_number(std::string_view text, std::string_view item, long least, const char *what) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size();
    const bool is_too_large = error == std::errc::result_out_of_range;
    if (is_too_large || (is_whole && value > ranks_max))
        throw wrong(item, fmt::format("a sweep takes at most {} ranks", with_commas(ranks_max)));
    if (!is_whole)
        throw wrong(item, "expected numbers of ranks: 1..64, 1,2,4,8, 8..64..8 (in steps of 8) or "
                          "1..64x2 (powers of 2)");
    if (value < least)
        throw wrong(item, fmt::format("{} must be at least {}", what, least));
    return value;
}

// Adds the numbers of a range. `is_product`: from one to the next it is multiplied by `step`.
void add_range(long first, long last, long step, bool is_product, std::set<int> &counts) {
    for (long n = first; n <= last && counts.size() <= counts_max;
         n = is_product ? n * step : n + step)
        counts.insert(static_cast<int>(n));
}

void add_item(std::string_view item, std::set<int> &counts) {
    const char *ranks = "the number of ranks";
    const size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
        counts.insert(static_cast<int>(parse_number(item, item, 1, ranks)));
        return;
    }
    std::string_view rest = item.substr(dots + 2);
    const size_t cross = rest.find('x'), more_dots = rest.find("..");
    const bool is_product = cross != std::string_view::npos;
    const size_t end = is_product ? cross : more_dots;
    const long first = parse_number(item.substr(0, dots), item, 1, ranks);
    const long last = parse_number(rest.substr(0, end), item, 1, ranks);
    long step = 1;
    if (is_product)
        step = parse_number(rest.substr(cross + 1), item, 2, "the factor");
    else if (end != std::string_view::npos)
        step = parse_number(rest.substr(end + 2), item, 1, "the step");
    if (first > last)
        throw wrong(item, fmt::format("the range is empty, because {} is above {}; write the "
                                      "smaller number first",
                                      first, last));
    add_range(first, last, step, is_product, counts);
}

} // namespace

std::vector<int> parse_counts(const std::string &text) {
    std::set<int> counts;
    for (std::string_view rest = text;;) {
        const size_t comma = rest.find(',');
        add_item(rest.substr(0, comma), counts);
        if (counts.size() > counts_max)
            throw wrong(text, fmt::format("a sweep has at most {} counts; leave some out, with "
                                          "A..B..STEP or A..BxFACTOR",
                                          with_commas(counts_max)));
        if (comma == std::string_view::npos)
            return {counts.begin(), counts.end()};
        rest.remove_prefix(comma + 1);
    }
}

} // namespace sweep
