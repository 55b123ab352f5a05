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

// What is waited for at a gate.
struct Door {
    std::atomic<uint32_t> passages; // how often it has come about
    std::atomic<uint32_t> somebody_sleeps;

    // acquire [gate-4]: what those did that have come. seq_cst [gate-3]: the last look before a
    // sleep.
    uint32_t now() const { return passages.load(std::memory_order_seq_cst); }
};

struct Gate {
    // Somebody, and what it does there: for whoever finds out that others do something else.
    struct Visitor {
        uint32_t process = 0;
        uint32_t says = 0;
    };

    alignas(64) std::atomic<uint32_t> arrived;
    std::atomic<uint64_t> occasion; // of those that have arrived, and one of them
    std::atomic<Visitor> visitor;
    std::atomic<uint64_t> elsewhere; // of those who wait for messages instead, and one of them
    std::atomic<Visitor> absentee;
    alignas(64) Door completed; // when all have arrived
    Door opened;                // when one of them says so
    std::atomic<uint32_t> given_up;

    // True: the caller is the last of `members`.
    bool arrive(uint64_t the_occasion, Visitor self, uint32_t members) {
        visitor.store(self, std::memory_order_relaxed); // published by the last store, as the next
        occasion.store(the_occasion, std::memory_order_relaxed);
        // seq_cst [gate-1]: what all have done before is seen by the last one; and before a look at
        // `elsewhere` [gate-2].
        if (arrived.fetch_add(1, std::memory_order_seq_cst) + 1 < members)
            return false;
        arrived.store(0, std::memory_order_relaxed); // published with what lets the others go on
        return true;
    }

    // Of those who have arrived: whether others wait for messages.
    bool is_awaited_elsewhere(uint64_t the_occasion) const {
        return elsewhere.load(std::memory_order_seq_cst) == the_occasion; // [gate-2]
    }

    // The caller waits for messages. True: others have come to the gate instead.
    bool wait_elsewhere(uint64_t the_occasion, Visitor self) {
        absentee.store(self, std::memory_order_relaxed);
        elsewhere.store(the_occasion, std::memory_order_seq_cst); // [gate-2]
        // seq_cst [gate-2]; acquire [gate-1]: the occasion of those that have arrived.
        return arrived.load(std::memory_order_seq_cst) > 0 &&
               occasion.load(std::memory_order_relaxed) == the_occasion;
    }
};

// Somebody waits at a door through which nobody had passed behind `before`.
struct GateWait {
    Gate *gate = nullptr;
    Door *door = nullptr;
    uint32_t before = 0;
    uint64_t occasion = 0;
    void (*ended)(uint64_t occasion) = nullptr; // called once, as an arrive function

    bool has_passed() const { return door->now() != before; } // [gate-3]

    bool is_over() const {
        return has_passed() || gate->given_up.load(std::memory_order_seq_cst) != 0; // [gate-3]
    }
};

} // namespace thrum
