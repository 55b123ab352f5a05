// The numbers and names that traces give to what they show: the same ones in both formats.
#pragma once
#include "observation/events.h"

#include <filesystem>
#include <fmt/core.h>
#include <string>

namespace trace {

using observation::EventReader;
using observation::EventSource;
using observation::Site;
using observation::TracedRank;

// Threads of a process have its number (pid) and one of their own (tid): its ranks from 1 on, their
// further threads and its workers far above.
inline int track_of(int rank, int thread) {
    constexpr int ranks_most = 1 << 24;
    return rank + 1 + (thread - 1) * ranks_most;
}

inline int track_of_worker(uint32_t worker) {
    constexpr int first = 2'000'000'000;
    return first + static_cast<int>(worker);
}

inline int pid_of(const EventSource &source) {
    return source.file()->pid;
}

inline std::string name_of_process(const EventSource &source) {
    const int first = source.file()->first_rank, count = source.file()->rank_count;
    return count == 1 ? fmt::format("rank {}", first)
                      : fmt::format("ranks {} to {}", first, first + count - 1);
}

inline std::string name_of_track(int rank, int thread) {
    return thread == 1 ? fmt::format("rank {}", rank)
                       : fmt::format("rank {} thread {}", rank, thread);
}

// Returns "heat.c:31 in exchange"; "" if nothing is known.
inline std::string place_of(const Site &site) {
    std::string text = std::filesystem::path(site.file).filename().string();
    if (site.line > 0)
        text += fmt::format(":{}", site.line);
    if (!site.in.empty())
        text += " in " + site.in;
    return text;
}

} // namespace trace
