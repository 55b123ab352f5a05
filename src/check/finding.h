// Findings of `mpiexec --check` that are warnings: two calls of a program that do not go together.
// Each pair of source lines is reported once in a process, in whichever order. With --check=error
// the job's exit code tells of them (inspect/leaks.h).
#pragma once
#include "comm/warned_lines.h"

#include <cstddef>
#include <string>

namespace thrum {

// What the calling rank has found out about two calls.
struct Finding {
    PairMistake mistake;
    CallPlace first, second; // in the order of time
    std::string sentence;    // about the second call; "%s" stands for the name of the first
    int first_rank = -1;     // the rank of the first call, if it is not the caller's
    // "load" or "store", if the first or the second is none of a call: its call_site is a place in
    // the program.
    const char *first_access = nullptr;
    const char *access = nullptr;
};

// Prints the warning, unless one for the same lines has been printed.
[[gnu::cold]] void report_finding(const Finding &finding);

// Prints a finding with a text of its own: the first line as a warning, the others as they are. The
// caller sees to it that it is printed once.
[[gnu::cold]] void report_finding(const std::string &text);

// Returns how many findings this process has printed.
size_t findings_reported();

} // namespace thrum
