// The Python interpreter of a rank: which line of a script makes an MPI call (python_line.h).
//
// A line is identified by what the interpreter executes, read from its own structures (CPython 3.11
// to 3.14). The interpreter itself is asked once for each line, because that needs its lock.
#pragma once
#include "base/may_suspend.h"

#include <atomic>

namespace thrum {

// Whether this process has an interpreter. Hidden: read in every MPI call.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> has_python;

// Looks for an interpreter, when a rank initialises MPI.
void find_python();

// Returns the call site that stands for the line of Python that the calling rank executes, if
// `call_site` is in mpi4py; otherwise `call_site` itself. Only if has_python.
const void *python_call_site(const void *call_site) MAY_SUSPEND;

} // namespace thrum
