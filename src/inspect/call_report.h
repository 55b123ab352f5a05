// What the ranks are doing, one line for each group of ranks, while they run: for Ctrl-C, SIGTERM
// and --timeout.
#pragma once
#include <string>

namespace thrum {

// Prints the lines of a deadlock report without its headline: groups of ranks by call, peer, tag,
// communicator and source line; a cycle of ranks that wait for each other; unmatched messages. May
// be called in a signal handler, in any thread, also inside malloc(). Takes two seconds at most;
// prints nothing if the state of the process does not allow a report. Returns whether it has got to
// the end.
bool report_calls();

// Returns the snapshot of the ranks while they run, as a text (merged_snapshot.h), under the same
// conditions. "" if that fails.
std::string calls_to_text();

} // namespace thrum
