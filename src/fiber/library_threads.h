// Counts the threads of the process, and those of the library that are not tasks because they only
// wait for work.
#pragma once

namespace thrum {

void add_library_thread(); // called by each, at its start
int library_threads();
int threads_of_process(); // of anybody

} // namespace thrum
