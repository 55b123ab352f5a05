// Decides whether a run of --fuzz or --explore goes wrong: it is compared with the first one.
#pragma once
#include "runs/outcome.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace mpiexec {

// What is wrong with a run.
struct Fault {
    enum Kind { ExitCode, Output, Warning };

    Kind kind;
    int exit_code;        // the exit code of the mpiexec that makes the runs
    std::string sentence; // "exit code 86 (deadlock)", "prints ... instead of ..."

    // Returns whether two runs go wrong in the same way.
    bool is_like(const Fault &other) const {
        return kind == other.kind && exit_code == other.exit_code;
    }
};

// Returns the line as a part of a sentence: quoted, without control characters, not too long.
std::string shown(std::string_view line);

// Returns how the lines of `output` differ from those of `usual`, as what the run does ("prints "b"
// instead of "a""); nullopt: they do not. The order of lines does not count, because lines of
// different ranks have none.
std::optional<std::string> difference_of(const std::string &output, const std::string &usual);

// Returns "exit code 139 (SIGSEGV)".
std::string describe_exit_code(int code);

// Compares runs with one that has ended well.
class Verdict {
public:
    // `reference` is a run that has ended with exit code 0. Without `compares_output` only exit
    // codes count.
    Verdict(const Outcome &reference, bool compares_output);

    // Returns what is wrong with a run, if anything.
    std::optional<Fault> judge(const Outcome &run) const;

private:
    std::string output_;
    std::set<std::string> warnings_; // what identifies them
    bool compares_output_;
};

} // namespace mpiexec
