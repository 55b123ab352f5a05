// Lines are compared with those that differ from them only in numbers. Of these, lines that are the
// same go first. The others are sorted by their numbers and compared in that order.
#include "comparison.h"

#include "plan/usage_error.h"
#include "runs/verdict.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <string_view>

namespace sweep {
namespace {

// A number in a text.
struct Number {
    double value = 0;
    bool is_whole = true; // has neither a point nor an exponent
    std::string text;
};

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c));
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Returns the number of characters at the beginning of `text` that are digits.
size_t count_digits(std::string_view text) {
    return static_cast<size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// Returns the length of the exponent with which `text` begins, or 0.
size_t exponent_length(std::string_view text) {
    if (text.empty() || std::string_view("eEdD").find(text[0]) == std::string_view::npos)
        return 0;
    const size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
    const size_t digits = count_digits(text.substr(1 + sign));
    return digits > 0 ? 1 + sign + digits : 0;
}

// Reads the number with which `text` begins: digits with a sign, a point, and an exponent, which
// may be Fortran's D. Returns nullopt if there is none. What looks like one within a word, such as
// a digest of a file, is none.
std::optional<Number> read_number(std::string_view text) {
    const size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const size_t whole = count_digits(text.substr(sign));
    size_t size = sign + whole;
    const bool has_point = size < text.size() && text[size] == '.';
    const size_t fraction = has_point ? count_digits(text.substr(size + 1)) : 0;
    if (whole + fraction == 0)
        return std::nullopt;
    size += has_point ? 1 + fraction : 0;
    const size_t exponent = exponent_length(text.substr(size));
    size += exponent;
    if (exponent > 0 && !has_point && size < text.size() && is_word(text[size]))
        return std::nullopt;
    Number number{0, !has_point && exponent == 0, std::string(text.substr(0, size))};
    std::string plain = number.text.substr(text[0] == '+' ? 1 : 0);
    std::ranges::replace_if(plain, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    if (std::from_chars(plain.data(), plain.data() + plain.size(), number.value).ec != std::errc{})
        number.value = HUGE_VAL; // beyond the range: the same only if it is written the same way
    return number;
}

// Returns whether a number may begin at `at`: not within a word.
bool may_begin(std::string_view text, size_t at) {
    return at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.');
}

// Returns whether two numbers are the same, as struct Tolerance defines it.
bool is_close(const Number &a, const Number &b, const Tolerance &tolerance) {
    constexpr double exact_max = 9007199254740992.0; // 2^53
    if (a.text == b.text)
        return true;
    const double larger = std::max(std::abs(a.value), std::abs(b.value));
    if (!std::isfinite(larger))
        return false;
    if (a.is_whole && b.is_whole)
        return larger < exact_max && a.value == b.value;
    const double difference = std::abs(a.value - b.value);
    return difference <= tolerance.relative * larger || difference <= tolerance.absolute;
}

} // namespace

// A line that is compared.
struct Comparison::Line {
    std::string text;
    std::string frame; // with "#" for each number
    std::vector<Number> numbers;
    bool is_matched = false;       // the other output has the same line
    const Line *partner = nullptr; // otherwise: the line there that has other numbers, if any

    explicit Line(std::string_view line) : text(line) {
        for (size_t at = 0; at < line.size();) {
            auto number = may_begin(line, at) ? read_number(line.substr(at)) : std::nullopt;
            frame += number ? '#' : line[at];
            at += number ? number->text.size() : 1;
            if (number)
                numbers.push_back(std::move(*number));
        }
    }
};

namespace {

using Line = Comparison::Line;
using Lines = std::vector<Line *>;

// Marks the lines that occur in both.
void match_same(const Lines &lines, const Lines &others) {
    std::map<std::string_view, Lines> left;
    for (Line *other : others)
        left[other->text].push_back(other);
    for (Line *line : lines) {
        const auto found = left.find(line->text);
        if (found == left.end() || found->second.empty())
            continue;
        line->is_matched = found->second.back()->is_matched = true;
        found->second.pop_back();
    }
}

// Removes the lines that are matched, and sorts the others by their numbers.
void keep_unmatched(Lines &lines) {
    std::erase_if(lines, [](const Line *line) { return line->is_matched; });
    std::ranges::stable_sort(lines, [](const Line *a, const Line *b) {
        return std::ranges::lexicographical_compare(a->numbers, b->numbers, {}, &Number::value,
                                                    &Number::value);
    });
}

// Compares lines that have the same frame.
void match(Lines &lines, Lines &others, const Tolerance &tolerance) {
    match_same(lines, others);
    keep_unmatched(lines);
    keep_unmatched(others);
    for (size_t i = 0; i < std::min(lines.size(), others.size()); ++i) {
        lines[i]->partner = others[i];
        others[i]->partner = lines[i];
        const bool is_same = std::ranges::equal(
            lines[i]->numbers, others[i]->numbers,
            [&](const Number &a, const Number &b) { return is_close(a, b, tolerance); });
        lines[i]->is_matched = others[i]->is_matched = is_same;
    }
}

const Line *first_unmatched(const std::vector<Line> &lines) {
    const auto found = std::ranges::find(lines, false, &Line::is_matched);
    return found == lines.end() ? nullptr : &*found;
}

} // namespace

Comparison::Comparison(Tolerance tolerance, const std::vector<std::string> &ignored)
    : tolerance_(tolerance) {
    for (const std::string &text : ignored) {
        auto expression = std::make_unique<regex_t>();
        const int error = regcomp(expression.get(), text.c_str(), REG_EXTENDED | REG_NOSUB);
        if (error) {
            char reason[200];
            regerror(error, expression.get(), reason, sizeof reason);
            throw mpiexec::UsageError(
                2,
                fmt::format("--ignore {}: not an extended regular expression: {}", text, reason));
        }
        ignored_.emplace_back(expression.release());
    }
}

bool Comparison::is_ignored(const std::string &line) const {
    return std::ranges::any_of(ignored_, [&](const auto &expression) {
        return regexec(expression.get(), line.c_str(), 0, nullptr, 0) == 0;
    });
}

std::vector<Comparison::Line> Comparison::lines_of(const std::string &text) const {
    std::vector<Line> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        if (!is_ignored(line))
            lines.emplace_back(line);
        at = end + 1;
    }
    return lines;
}

std::optional<std::string> Comparison::difference_of(const std::string &output,
                                                     const std::string &usual) const {
    if (output == usual)
        return std::nullopt;
    std::vector<Line> lines = lines_of(output), others = lines_of(usual);
    std::map<std::string_view, std::pair<Lines, Lines>> by_frame;
    for (Line &line : lines)
        by_frame[line.frame].first.push_back(&line);
    for (Line &line : others)
        by_frame[line.frame].second.push_back(&line);
    for (auto &[frame, pair] : by_frame)
        match(pair.first, pair.second, tolerance_);

    const Line *more = first_unmatched(lines), *less = first_unmatched(others);
    if (more && more->partner)
        less = more->partner;
    if (more && less)
        return fmt::format("prints {} instead of {}", mpiexec::shown(more->text),
                           mpiexec::shown(less->text));
    if (more)
        return fmt::format("prints another line, {}", mpiexec::shown(more->text));
    if (less)
        return fmt::format("does not print the line {}", mpiexec::shown(less->text));
    return std::nullopt;
}

} // namespace sweep
