// Reads what a run of --explore leaves: its record (record/record_file.h), and what its wildcard
// receives and probes took and could have taken (check/choice_file.h).
#pragma once
#include "explore/trace.h"

#include <string>
#include <variant>

namespace mpiexec {

// Why the runs of a job cannot be explored, as the end of a sentence that begins with "the job".
struct NotExplored {
    std::string reason;
};

// Reads the trace of a run of `ranks` ranks that has ended well.
std::variant<Trace, NotExplored> read_trace(const std::string &directory, int ranks);

} // namespace mpiexec
