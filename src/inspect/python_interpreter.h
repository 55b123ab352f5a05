// The Python interpreter of a rank: which line of a script makes an MPI call (python_line.h).
//
// A line is identified by what the interpreter executes, read from its own structures (CPython 3.11
// to 3.14). The interpreter itself is asked once for each line, because that needs its lock.
#pragma once
#include "base/may_suspend.h"

#include <atomic>

namespace thrum {

// Looks for an interpreter, when a rank is about to initialise MPI. If there is one, all calls are
// looked at (comm/process.h).
void find_python();

namespace detail {

// False once find_python() has found none.
[[gnu::visibility("hidden")]] extern std::atomic<bool> may_have_python;
const void *line_of_python(const void *call_site) MAY_SUSPEND;

} // namespace detail

// Returns the call site that stands for the line of Python that the calling rank executes, if
// `call_site` is in mpi4py; otherwise `call_site` itself.
inline const void *python_call_site(const void *call_site) MAY_SUSPEND {
    // relaxed: whoever asks in vain only takes longer.
    return detail::may_have_python.load(std::memory_order_relaxed)
               ? detail::line_of_python(call_site)
               : call_site;
}

} // namespace thrum
