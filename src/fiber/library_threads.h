// Lists the threads of the process, and those of the library that are not tasks. With both lists
// the report of deadlocks detects threads that the library does not know, which may still send
// messages.
#pragma once
#include <vector>

namespace thrum {

// Records the calling thread. Each such thread calls this at its start.
void add_library_thread();
void add_library_thread(int thread_id);
bool is_library_thread(int thread_id);
// Returns the ids of all threads, also those of the program. Empty if they are unknown.
std::vector<int> threads_of_process();

} // namespace thrum
