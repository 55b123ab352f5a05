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
        // Of brief calls (observer.h): how long the last timed one took, how many of those were
        // short one after the other, how many calls are not to be timed now, and how many have not
        // been timed and not been added yet.
        uint32_t ticks;
        uint16_t short_ones, to_skip, skipped;
    };

    static constexpr uint64_t known_max = 8; // a power of two

    uint64_t begin_ticks = 0; // of the call that is noted; 0: none
    uint64_t wait_ticks = 0, ready_ticks = 0;
    uint64_t bytes = 0;              // sent
    uint64_t key = 0;                // of its entry in the table of calls
    Calls *calls = nullptr;          // that entry, while the table's entries are there
    Offset calls_table = 0;          // where they are, as far as this thread knows
    KnownCall known[known_max] = {}; // by a digest of the key
    KnownCall *known_call = nullptr; // that of the call
    bool has_skipped = false;        // in `known`
    uint64_t end_ticks = 0;          // of the last call that was timed
    uint32_t place = Cause::no_place;
    uint32_t arrivals = 0; // times that it has come to the other members of a communicator
    uint32_t file = 0;     // that the call is for: its number + 1

    // Returns the key of a call of function number `function`.
    static uint64_t key_of(uint16_t function, const void *call_site) {
        return uint64_t{function} << 48 | (reinterpret_cast<uint64_t>(call_site) & 0xffffffffffff);
    }

    KnownCall &known_of(uint64_t call_key) { return known[(call_key ^ call_key >> 4) % known_max]; }
};

} // namespace thrum::observe
