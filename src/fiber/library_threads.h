// Threads of the library that are no tasks, as they only wait for work: for whoever counts the
// threads of the process (inspect/deadlock.cc).
#pragma once

namespace thrum {

void add_library_thread(); // called by each, at its start
int library_threads();

} // namespace thrum
