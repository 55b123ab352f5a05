// MPI_Dims_create: a search through the ways to write a number as a product of a given number of
// factors, beginning with the most even one. Branches that cannot beat the best result so far are
// cut off: the smallest of k factors is at most the k-th root of their product, and their sum at
// least k times that root.
#include "comm/topology.h"

#include <algorithm>
#include <cmath>

namespace thrum {
namespace {

// Returns the largest r with r^k <= n.
int integer_root(int n, int k) {
    if (k == 1)
        return n;
    auto fits = [&](long long r) {
        long long power = 1;
        for (int i = 0; i < k && power <= n; ++i)
            power *= r;
        return power <= n;
    };
    int root = static_cast<int>(std::pow(static_cast<double>(n), 1.0 / k));
    while (root > 1 && !fits(root))
        --root;
    while (fits(root + 1LL))
        ++root;
    return root;
}

std::vector<int> divisors_of(int n) {
    std::vector<int> small, large;
    for (int d = 1; d <= n / d; ++d) {
        if (n % d != 0)
            continue;
        small.push_back(d);
        if (d != n / d)
            large.push_back(n / d);
    }
    small.insert(small.end(), large.rbegin(), large.rend());
    return small;
}

// The search, with the best result so far. Factors are chosen from the largest to the smallest, so
// the first and the last give the spread; the sum decides among equal spreads.
class Search {
public:
    Search(int nodes, int factors) : divisors_(divisors_of(nodes)) {
        factors_.reserve(static_cast<size_t>(factors));
        extend(nodes, factors, nodes, 0);
    }

    const std::vector<int> &best() const { return best_; }

private:
    // Appends `left` factors, each at most `limit`, whose product is `rest`. `sum` is that of the
    // factors chosen so far.
    void extend(int rest, int left, int limit, double sum) {
        if (left == 0) {
            note();
            return;
        }
        if (left == 1) {
            if (rest <= limit)
                take(rest, 1, 0, sum);
            return;
        }
        int root = integer_root(rest, left);
        // The largest factor is not below the root; tries the nearest one first.
        for (auto next = std::lower_bound(divisors_.begin(), divisors_.end(), root);
             next != divisors_.end() && *next <= limit; ++next)
            if (rest % *next == 0 && !take(*next, rest / *next, left - 1, sum))
                break;
    }

    // Tries one factor. Returns false if neither this factor nor a larger one in its place can
    // equal the best.
    bool take(int factor, int rest, int left, double sum) {
        int largest = factors_.empty() ? factor : factors_[0];
        int smallest = left == 0 ? factor : integer_root(rest, left); // upper bound
        double least_sum = sum + factor;
        if (left > 0)
            least_sum += left * std::pow(static_cast<double>(rest), 1.0 / left);
        if (!best_.empty()) {
            int spread = largest - smallest;
            if (spread > best_spread_)
                return false; // a larger factor leaves less for the smallest
            if (spread == best_spread_ && least_sum > best_sum_ - 0.5)
                return true;
        }
        factors_.push_back(factor);
        extend(rest, left, factor, sum + factor);
        factors_.pop_back();
        return true;
    }

    // Compares a complete choice with the best.
    void note() {
        int spread = factors_.front() - factors_.back();
        double sum = 0;
        for (int factor : factors_)
            sum += factor;
        if (!best_.empty() &&
            (spread > best_spread_ || (spread == best_spread_ && sum >= best_sum_)))
            return;
        best_ = factors_;
        best_spread_ = spread;
        best_sum_ = sum;
    }

    std::vector<int> divisors_; // ascending
    std::vector<int> factors_;  // non-increasing
    std::vector<int> best_;
    int best_spread_ = 0;
    double best_sum_ = 0;
};

// Limits the factors: no number below 2^31 is the product of more than 30 twos, so all beyond are
// 1.
constexpr int factors_max = 31;

} // namespace

// The factors fill the zero entries in order, so they are non-increasing.
void balance_dims(int nodes, int free, int ndims, int *dims) {
    if (free == 0)
        return;
    Search search(nodes, std::min(free, factors_max));
    size_t next = 0;
    for (int i = 0; i < ndims; ++i) {
        if (dims[i] != 0)
            continue;
        dims[i] = next < search.best().size() ? search.best()[next] : 1;
        ++next;
    }
}

} // namespace thrum
