// What a thread of a rank keeps for the observer (observer.h) and its event log (event_log.h).
#pragma once
#include "observe/observation.h"

namespace thrum::observe {

// For the call that it is in.
struct ThreadState {
    uint64_t begin_ticks = 0; // of the call that is noted; 0: none
    uint64_t wait_ticks = 0, ready_ticks = 0;
    uint64_t bytes = 0;     // sent
    uint64_t key = 0;       // of its entry in the table of calls
    Calls *calls = nullptr; // that entry, while the table's entries are there
    Offset calls_table = 0;
    uint32_t place = Cause::no_place;
    uint32_t arrivals = 0; // times that it has come to the other members of a communicator
    uint32_t file = 0;     // that the call is for: its number + 1
};

} // namespace thrum::observe
