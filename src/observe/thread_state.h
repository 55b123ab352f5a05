// What a thread of a rank keeps for the observer (observer.h) and its event log (event_log.h).
#pragma once
#include "observe/observation.h"

namespace thrum::observe {

// For the call that it is in.
struct ThreadState {
    // An entry of the rank's table of calls, found without its lock: most calls come from a few
    // places.
    struct KnownCall {
        uint64_t key; // 0: none
        Calls *calls;
        uint32_t place;
    };

    static constexpr uint64_t known_max = 8; // a power of two

    uint64_t begin_ticks = 0; // of the call that is noted; 0: none
    uint64_t wait_ticks = 0, ready_ticks = 0;
    uint64_t bytes = 0;     // sent
    uint64_t key = 0;       // of its entry in the table of calls
    Calls *calls = nullptr; // that entry, while the table's entries are there
    Offset calls_table = 0; // where they are, as far as this thread knows
    KnownCall known[known_max] = {};
    uint32_t place = Cause::no_place;
    uint32_t arrivals = 0; // times that it has come to the other members of a communicator
    uint32_t file = 0;     // that the call is for: its number + 1
};

} // namespace thrum::observe
