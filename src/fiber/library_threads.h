// Counts the threads of the process, and those of the library that are not tasks. With both numbers
// the report of deadlocks detects threads that the library does not know, which may still send
// messages.
#pragma once

namespace thrum {

// Counts the calling thread. Each such thread calls this at its start.
void add_library_thread();
int library_threads();
int threads_of_process(); // all threads, also those of the program

} // namespace thrum
