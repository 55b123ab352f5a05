// What a process records of its supersteps for a report (profile.h).
#pragma once
#include <cstdint>
#include <vector>

namespace thrum::bsp {

// Times are those of one process; a report takes the maximum of all.
struct SuperstepRecord {
    int64_t work_ns = 0;  // from the end of the synchronisation before to the beginning of its own
    int64_t total_ns = 0; // the same, with the synchronisation at its end
    uint64_t bytes_in = 0;
    uint64_t bytes_out = 0;
    bool counted = false;
};

struct Profile {
    std::vector<SuperstepRecord> records;
    int64_t begun_ns = 0;         // when this superstep began
    int64_t synchronising_ns = 0; // when its synchronisation began
};

} // namespace thrum::bsp
