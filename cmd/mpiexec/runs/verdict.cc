// Exit codes, lines of output and warnings (runs/verdict.h).
#include "runs/verdict.h"

#include "inspect/final_report.h"
#include "start/ending.h"

#include <cctype>
#include <cstring>
#include <fmt/core.h>
#include <map>
#include <regex>
#include <string_view>

namespace mpiexec {
namespace {

constexpr size_t shown_characters_max = 100; // of a line

template <class Function>
void for_each_line(std::string_view text, Function visit) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// How often each line occurs.
using LineCounts = std::map<std::string_view, long>;

LineCounts count_lines(const std::string &text) {
    LineCounts counts;
    for_each_line(text, [&](std::string_view line) { ++counts[line]; });
    return counts;
}

// Returns the first line of `text` that occurs more often than in the text of `other`.
std::optional<std::string_view> first_beyond(const std::string &text, const LineCounts &other) {
    LineCounts left = other;
    std::optional<std::string_view> found;
    for_each_line(text, [&](std::string_view line) {
        if (!found && --left[line] < 0)
            found = line;
    });
    return found;
}

bool is_warning(std::string_view line) {
    return line.starts_with("thrum: warning:") || line.starts_with("thrum: WARNING");
}

// Returns what makes two warnings the same: the source lines that they name, or else their words.
// Which rank meets a mistake first, and how often, depends on the schedule.
std::string identity_of(std::string_view warning) {
    static const std::regex place("[^ ()]+:[0-9]+"), numbers("[0-9]+(?:[-,][0-9]+)*");
    const std::string text(warning);
    std::set<std::string> places;
    for (std::sregex_iterator found(text.begin(), text.end(), place), end; found != end; ++found)
        places.insert(found->str());
    if (places.empty())
        return std::regex_replace(text, numbers, "#");
    std::string identity;
    for (const std::string &name : places)
        identity += name + " ";
    return identity;
}

} // namespace

std::string shown(std::string_view line) {
    std::string text(line.substr(0, shown_characters_max));
    for (char &c : text)
        if (std::iscntrl(static_cast<unsigned char>(c)))
            c = '?';
    return fmt::format("\"{}{}\"", text, line.size() > text.size() ? "..." : "");
}

std::optional<std::string> difference_of(const std::string &output, const std::string &usual) {
    if (output == usual)
        return std::nullopt;
    const auto more = first_beyond(output, count_lines(usual));
    const auto less = first_beyond(usual, count_lines(output));
    if (more && less)
        return fmt::format("prints {} instead of {}", shown(*more), shown(*less));
    if (more)
        return fmt::format("prints another line, {}", shown(*more));
    if (less)
        return fmt::format("does not print the line {}", shown(*less));
    return std::nullopt;
}

std::string describe_exit_code(int code) {
    const char *meaning = code == thrum::deadlock_exit_code ? "deadlock"
                          : code == time_limit_exit_code    ? "time limit"
                                                            : nullptr;
    if (meaning)
        return fmt::format("exit code {} ({})", code, meaning);
    const char *signal = code > 128 ? sigabbrev_np(code - 128) : nullptr;
    return signal ? fmt::format("exit code {} (SIG{})", code, signal)
                  : fmt::format("exit code {}", code);
}

Verdict::Verdict(const Outcome &reference, bool compares_output)
    : output_(reference.output), compares_output_(compares_output) {
    for_each_line(reference.errors, [&](std::string_view line) {
        if (is_warning(line))
            warnings_.insert(identity_of(line));
    });
}

std::optional<Fault> Verdict::judge(const Outcome &run) const {
    if (run.exit_code != 0)
        return Fault{Fault::ExitCode, run.exit_code, describe_exit_code(run.exit_code)};
    if (!compares_output_)
        return std::nullopt;
    if (auto difference = difference_of(run.output, output_))
        return Fault{Fault::Output, 1, *difference};
    std::optional<Fault> fault;
    for_each_line(run.errors, [&](std::string_view line) {
        if (!fault && is_warning(line) && !warnings_.contains(identity_of(line)))
            fault = Fault{Fault::Warning, 1, fmt::format("a new warning, {}", shown(line))};
    });
    return fault;
}

} // namespace mpiexec
