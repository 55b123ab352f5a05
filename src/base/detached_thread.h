// Threads of libmpi that run to the end of the process, or end on their own.
#pragma once

namespace thrum {

// Starts one that nobody joins. It gets no signals: they are for ranks. Returns 0, or why there is
// no thread, as pthread_create() does.
int start_detached_thread(void *(*function)(void *), void *argument);

} // namespace thrum
