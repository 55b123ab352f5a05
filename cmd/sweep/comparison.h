// Compares what a program prints with different numbers of ranks: numbers within a tolerance, other
// text exactly.
#pragma once
#include <memory>
#include <optional>
#include <regex.h>
#include <string>
#include <vector>

namespace sweep {

// Two numbers a and b are the same if |a - b| <= relative * max(|a|, |b|) or |a - b| <= absolute.
// Whole numbers must be equal.
struct Tolerance {
    double relative = 1e-9, absolute = 0;
};

class Comparison {
public:
    struct Line;

    // `ignored` are extended regular expressions; lines that match one of them are left out. Throws
    // UsageError if one is wrong.
    Comparison(Tolerance tolerance, const std::vector<std::string> &ignored);

    // Returns how `output` differs from `usual`, as what the run does ("prints "b" instead of
    // "a""); nullopt: it does not. The order of lines does not count, because lines of different
    // ranks have none.
    std::optional<std::string> difference_of(const std::string &output,
                                             const std::string &usual) const;

private:
    struct FreeExpression {
        void operator()(regex_t *expression) const {
            regfree(expression);
            delete expression;
        }
    };

    bool is_ignored(const std::string &line) const;
    std::vector<Line> lines_of(const std::string &text) const;

    Tolerance tolerance_;
    std::vector<std::unique_ptr<regex_t, FreeExpression>> ignored_;
};

} // namespace sweep
