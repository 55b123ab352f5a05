// futex(2), process-private: the only way in which Thrum's OS threads sleep.
#pragma once
#include <atomic>
#include <cstdint>
#include <ctime>

namespace thrum {

// Sleeps while `word` holds `expected`; may return early. `timeout_ns` < 0: no limit.
void futex_wait(std::atomic<uint32_t> &word, uint32_t expected, int64_t timeout_ns = -1);
// Wakes at most `count` threads that sleep on `word`.
void futex_wake(std::atomic<uint32_t> &word, int count = 1);

} // namespace thrum
