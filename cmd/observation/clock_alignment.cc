#include "clock_alignment.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace observation {
namespace {

std::optional<double> delay(const LeastDelays &delays, size_t from, size_t to) {
    const auto found = delays.find({from, to});
    return found == delays.end() ? std::nullopt : std::optional(found->second);
}

class Tree {
public:
    Tree(size_t machines, const LeastDelays &delays)
        : delays_(delays), is_in_(machines), error_ns_(machines) {
        result_.ahead_ns.resize(machines);
        is_in_[0] = true;
    }

    Alignment grow() {
        for (size_t i = 1; i < is_in_.size(); ++i)
            if (!take_best_pair())
                take_unbounded();
        result_.error_ns = std::ranges::max(error_ns_);
        return result_;
    }

private:
    // Adds the machine that has the shortest way to one that is in, and back.
    bool take_best_pair() {
        double best_ns = std::numeric_limits<double>::infinity();
        size_t best_in = 0, best_out = 0;
        for (const auto &[pair, to_ns] : delays_) {
            const auto [in, out] = pair;
            const std::optional<double> back_ns = delay(delays_, out, in);
            if (!is_in_[in] || is_in_[out] || !back_ns || to_ns + *back_ns >= best_ns)
                continue;
            best_ns = to_ns + *back_ns;
            best_in = in;
            best_out = out;
        }
        if (best_ns == std::numeric_limits<double>::infinity())
            return false;
        const double to_ns = *delay(delays_, best_in, best_out);
        const double back_ns = *delay(delays_, best_out, best_in);
        is_in_[best_out] = true;
        result_.ahead_ns[best_out] = result_.ahead_ns[best_in] + (to_ns - back_ns) / 2;
        error_ns_[best_out] = error_ns_[best_in] + best_ns / 2;
        return true;
    }

    void take_unbounded() {
        const auto out = static_cast<size_t>(std::ranges::find(is_in_, false) - is_in_.begin());
        double least_ns = -std::numeric_limits<double>::infinity(), most_ns = -least_ns;
        for (size_t in = 0; in < is_in_.size(); ++in) {
            if (!is_in_[in])
                continue;
            if (const auto to_ns = delay(delays_, in, out))
                most_ns = std::min(most_ns, result_.ahead_ns[in] + *to_ns);
            if (const auto back_ns = delay(delays_, out, in))
                least_ns = std::max(least_ns, result_.ahead_ns[in] - *back_ns);
        }
        is_in_[out] = true;
        result_.ahead_ns[out] = std::min(std::max(0.0, least_ns), most_ns);
        result_.is_bounded = false;
    }

    const LeastDelays &delays_;
    std::vector<bool> is_in_;
    std::vector<double> error_ns_;
    Alignment result_;
};

} // namespace

Alignment align_clocks(size_t machines, const LeastDelays &delays) {
    return Tree(machines, delays).grow();
}

} // namespace observation
