// Gate: where processes of a node wait for each other without messages. Each counts itself; who
// comes last has everybody go on, and wakes only those that have gone to sleep. It lies in the
// segment of one of the processes, its *owner*, who has handed out its number.
//
// The members of a gate do the same in the same order; an *occasion* (a number that is never used
// twice in a row) says which time it is. Some may have come to the gate while others wait for a
// message on the same occasion, since the program is wrong: one of the two finds out.
//
// Invariants
// 1. Nobody arrives for the next occasion before the last one of this has.
// 2. A gate that was given up is not used again, since nobody knows how many have arrived: who
// waits
//    there is sent away.
// 3. Who is going to sleep says so before a last look; who has everybody go on looks afterwards for
//    that ([gate-3], as [attention-1]).
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

struct Gate {
    alignas(64) std::atomic<uint32_t> arrived;
    std::atomic<uint64_t> occasion;              // of those that have arrived
    std::atomic<uint64_t> elsewhere;             // of those who wait for messages instead
    alignas(64) std::atomic<uint32_t> completed; // how often all had arrived
    std::atomic<uint32_t> opened;                // how often it was opened behind that
    std::atomic<uint32_t> somebody_sleeps;
    std::atomic<uint32_t> given_up;

    // True: the caller is the last of `members`.
    bool arrive(uint64_t the_occasion, uint32_t members) {
        occasion.store(the_occasion, std::memory_order_relaxed); // published by the next
        // seq_cst [gate-1]: what all have done before is seen by the last one; and before a look at
        // `elsewhere` [gate-2].
        if (arrived.fetch_add(1, std::memory_order_seq_cst) + 1 < members)
            return false;
        arrived.store(0, std::memory_order_relaxed); // published with what lets the others go on
        return true;
    }

    bool is_awaited_elsewhere(uint64_t the_occasion) const {
        return elsewhere.load(std::memory_order_seq_cst) == the_occasion; // [gate-2]
    }

    // The caller waits for messages. True: others have come to the gate instead.
    bool wait_elsewhere(uint64_t the_occasion) {
        elsewhere.store(the_occasion, std::memory_order_seq_cst); // [gate-2]
        return arrived.load(std::memory_order_seq_cst) > 0 &&
               occasion.load(std::memory_order_relaxed) == the_occasion;
    }
};

// Somebody waits until a word of a gate, `completed` or `opened`, is not what it was any more.
struct GateWait {
    Gate *gate = nullptr;
    const std::atomic<uint32_t> *word = nullptr;
    uint32_t before = 0;
    uint64_t occasion = 0;
    void (*ended)(uint64_t occasion) = nullptr; // called once, as an arrive function

    bool has_passed() const {
        return word->load(std::memory_order_seq_cst) != before; // acquire [gate-4]; [gate-3]
    }

    bool is_over() const {
        return has_passed() || gate->given_up.load(std::memory_order_seq_cst) != 0;
    }
};

} // namespace thrum
