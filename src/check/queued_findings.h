// Findings that their finder may not print, because it holds a lock. The next MPI call that ends
// prints them.
#pragma once
#include <atomic>
#include <string>

namespace thrum {

[[gnu::visibility(
    "hidden")]] extern std::atomic<bool> findings_are_queued; // written by the functions below

// Keeps the text of a finding. Each text is kept once.
void queue_finding(const std::string &text);
// Reports what is kept.
void report_queued_findings();

} // namespace thrum
