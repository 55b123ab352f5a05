// Refuses more ranks than fit into the machine's memory before anything is started. Otherwise the
// kernel would kill the job in the middle of its work.
//
// This counts what a rank needs to exist (docs/performance/ranks.md), which depends on
// the program and is known before the first rank is made. What a rank allocates itself is unknown,
// so only jobs that cannot work are refused.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace thrum {

// How much memory a process may get, and what says so.
struct AvailableMemory {
    uint64_t bytes = UINT64_MAX; // UINT64_MAX: unknown
    std::string source;          // for messages: where the number is from
};

// Returns how much memory a process may still get: MemAvailable and SwapFree of PROC/meminfo, or
// less if a control group of PROC/self/cgroup (of either version, mounted at `groups`) has a limit.
// The directories are parameters for the unit test.
AvailableMemory find_available_memory(const std::string &proc = "/proc",
                                      const std::string &groups = "/sys/fs/cgroup");

// Returns a sentence that says what `ranks` ranks of `program` need and what is available, if that
// is less; else "". `cloned`: --privatize would make ranks smaller. `why_cloned`: why it does not,
// if the program is compiled with it (image.h); else nullptr.
std::string memory_shortage(int ranks, uint64_t needed_bytes, const char *program, bool cloned,
                            const char *why_cloned = nullptr);
// Ends the process (exit code 2) with that sentence, if there is one.
void refuse_too_many_for_memory(int ranks, uint64_t needed_bytes, const char *program, bool cloned,
                                const char *why_cloned = nullptr);

// Returns the bytes that a rank needs beside its image: stack, thread block, C-library and MPI
// state.
size_t rank_bytes(bool is_os_thread);

} // namespace thrum
