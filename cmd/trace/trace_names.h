// The numbers and names that traces give to what they show: the same ones in both formats.
#pragma once
#include "observation/events.h"

#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <string>
#include <utility>

namespace trace {

using observation::EventReader;
using observation::EventSource;
using observation::Site;
using observation::TracedRank;

// Numbers threads: each has the number of its process (pid) and one of its own (tid). Those of
// ranks start at 1; the ranks' further threads and the workers follow far above.
class Tracks {
public:
    int of_thread(const TracedRank &rank, int thread) {
        constexpr int first = 1 << 24;
        if (thread == 1)
            return rank.rank + 1;
        const int next = first + static_cast<int>(further_.size());
        return further_.try_emplace({&rank, thread}, next).first->second;
    }

    static int of_worker(uint32_t worker) {
        constexpr int first = 2'000'000'000;
        return first + static_cast<int>(worker);
    }

private:
    std::map<std::pair<const TracedRank *, int>, int> further_; // threads, from 2 on
};

// Returns "ranks 0 to 7", and of a job on several hosts "ranks 0 to 7 on node1".
inline std::string name_of_process(const EventReader &events, const EventSource &source) {
    const int first = events.number_of(source.file()->first_rank);
    const int count = source.file()->rank_count;
    const std::string name = count == 1 ? fmt::format("rank {}", first)
                                        : fmt::format("ranks {} to {}", first, first + count - 1);
    return events.hosts().size() == 1
               ? name
               : fmt::format("{} on {}", name, events.hosts()[source.machine]);
}

inline std::string name_of_track(const TracedRank &rank, int thread) {
    return thread == 1 ? fmt::format("rank {}", rank.rank)
                       : fmt::format("rank {} thread {}", rank.rank, thread);
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
