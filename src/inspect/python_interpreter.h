// The Python interpreter of a rank: which line of a script makes an MPI call (python_line.h).
//
// A line is identified by what the interpreter executes, read from its own structures (CPython 3.11
// to 3.14). The interpreter itself is asked once for each line, because that needs its lock.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Looks for an interpreter, when a rank is about to initialise MPI. If there is one, all calls are
// looked at (comm/process.h).
void find_python();

// Returns the call site that stands for the line of Python that the calling rank executes, if
// `call_site` is in mpi4py; otherwise `call_site` itself.
const void *python_call_site(const void *call_site) MAY_SUSPEND;

} // namespace thrum
