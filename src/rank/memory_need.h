// Too many ranks for the machine's memory are refused before anything is started, rather than
// killed by the kernel in the middle of their work.
//
// What a rank needs to be there at all is counted (docs/performance.md, "A million ranks"): it
// depends on the program, and is known before the first rank is made. What a rank allocates itself
// is unknown, so this refuses only what cannot work.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace thrum {

struct AvailableMemory {
    uint64_t bytes = UINT64_MAX; // UINT64_MAX: unknown
    std::string source;          // for messages: who says so
};

// What the kernel says that a process may still have: MemAvailable and SwapFree of
// PROC/meminfo, or less if a control group of PROC/self/cgroup (of either version, mounted at
// `groups`) has a limit. The directories are parameters for the unit test.
AvailableMemory find_available_memory(const std::string &proc = "/proc",
                                      const std::string &groups = "/sys/fs/cgroup");

// What `ranks` ranks of `program` need and what is available, in one sentence, if that is less;
// else
// "". `cloned`: --privatize would make ranks smaller; `why_cloned`: why it does not, if the program
// is compiled with it (image.h), else nullptr.
std::string memory_shortage(int ranks, uint64_t needed_bytes, const char *program, bool cloned,
                            const char *why_cloned = nullptr);
// Ends the process (exit code 2) with that sentence, if there is one.
void refuse_too_many_for_memory(int ranks, uint64_t needed_bytes, const char *program, bool cloned,
                                const char *why_cloned = nullptr);

// What a rank takes beside its image: stack, thread block, C-library and MPI state.
size_t rank_bytes(bool is_os_thread);

} // namespace thrum
