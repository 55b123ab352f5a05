// What a thread of a rank keeps for the observer (observer.h) and its event log (event_log.h).
#pragma once
#include "observe/observation.h"

#include <atomic>
#include <utility>

namespace thrum::observe {

// What is known of the calls of a function (observer.h).
enum class CallKind : uint8_t { Any, Brief, OnlyWaits };

// For the call that it is in. A brief call that is not timed (observer.h) leaves no trace but that
// its entry counts it: a store may have to wait for those before it to reach memory.
struct ThreadState {
    // What the thread is in, for reports: the number of the function, 0 outside MPI, and its call.
    // nullptr: not known.
    explicit ThreadState(const std::atomic<uint16_t> *function_now = nullptr,
                         const std::atomic<const void *> *call_site_now = nullptr)
        : function(function_now), call_site(call_site_now) {}

    // An entry of the rank's table of calls, found without its lock: most calls come from a few
    // places.
    struct KnownCall {
        uint64_t key; // 0: none
        Calls *calls;
        uint32_t place;
        // Of brief calls (observer.h): how long the last timed one took, how many of those were
        // short one after the other, how many calls are not to be timed now, and how many that were
        // when those were last added to the entry.
        uint32_t ticks;
        uint16_t short_ones, to_skip, not_added;

        // Returns how many calls have not been timed, and have not been added to the entry.
        uint16_t skipped() const { return static_cast<uint16_t>(not_added - to_skip); }
    };

    static constexpr uint64_t known_max = 8; // a power of two

    const std::atomic<uint16_t> *function;
    const std::atomic<const void *> *call_site;
    uint64_t begin_ticks = 0;      // of the call that is timed; 0: none
    uint64_t end_ticks = 0;        // of the last call that was timed
    uint64_t wait_end_ticks = 0;   // of the last wait of the call; 0: it has not waited
    RankRecord *waiting = nullptr; // the rank's, since its last wait began: one line less to read
    // Of the call; 0 between calls.
    uint64_t wait_ticks = 0, ready_ticks = 0, bytes = 0; // sent
    uint32_t arrivals = 0; // times that it has come to the other members of a communicator
    uint32_t file = 0;     // that the call is for: its number + 1
    CallKind kind{};       // of the call that is timed
    bool may_skip = false; // perhaps some of `known` are not to be timed
    KnownCall *known_call = nullptr; // that of the call that is timed; nullptr: none, or no room
    Offset calls_table = 0;          // where the entries are, as far as this thread knows
    KnownCall known[known_max] = {}; // in pairs

    // Returns the key of a call of function number `function`.
    static uint64_t key_of(uint16_t function, const void *call_site) {
        return uint64_t{function} << 48 | (reinterpret_cast<uint64_t>(call_site) & 0xffffffffffff);
    }

    // Returns the index of the first of the two entries in which a call of this key is, if it is in
    // any: those of brief calls are known before the call is made.
    static size_t index_of(uint64_t call_key, bool brief) {
        const uint64_t digest = brief ? call_key >> 48 : call_key ^ call_key >> 4;
        return 2 * (digest % (known_max / 2));
    }

    // Returns the entry of a call of this key; nullptr: none.
    const KnownCall *entry_of(uint64_t key, bool brief) const {
        const KnownCall *pair = known + index_of(key, brief);
        return pair[0].key == key ? pair : pair[1].key == key ? pair + 1 : nullptr;
    }

    KnownCall *entry_of(uint64_t key, bool brief) {
        return const_cast<KnownCall *>(std::as_const(*this).entry_of(key, brief));
    }

    // Returns the entry of the call, also of one that is not timed; nullptr if it is not known.
    const KnownCall *call() const {
        if (known_call || !may_skip || !function)
            return known_call;
        return entry_of(key_of(function->load(std::memory_order_relaxed),
                               call_site->load(std::memory_order_relaxed)),
                        true);
    }

    // Returns the number of the place of the call.
    uint32_t place() const {
        const KnownCall *known_now = call();
        return known_now ? known_now->place : Cause::no_place;
    }
};

} // namespace thrum::observe
