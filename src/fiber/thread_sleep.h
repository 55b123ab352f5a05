// Whether a thread sleeps until another thread of the same process wakes it: in a futex of the
// process's own, without a time limit. pthread_cond_wait, a mutex, an idle pool of OpenMP and
// pthread_join() end there. A futex in shared memory does not count, since another process may wake
// the thread.
#pragma once
#include <cstdint>
#include <optional>

namespace thrum {

// Returns nothing if the thread does not sleep so, has ended, or if the kernel does not say what it
// does. Otherwise returns how often it has been switched: if the number is the same later, the
// thread has slept all the time.
std::optional<uint64_t> sleeps_until_woken(int thread_id);

// The same for the text of /proc/PID/task/TID/syscall. `is_thread` returns whether a number is the
// id of a thread of the process: pthread_join() waits for that in a futex that counts as shared.
bool is_sleep_until_woken(const char *syscall_text, bool (*is_thread)(int id));

} // namespace thrum
