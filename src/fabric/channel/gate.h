// Gate: where processes of a node wait for each other without messages. Each process counts itself
// in. The last one lets all others continue and wakes only those that sleep. A gate is in the
// segment of one of the processes, its *owner*, which has published its number.
//
// The members of a gate make the same calls in the same order; an *occasion* (a number that is
// never used twice in a row) identifies the call. In a wrong program, some may be at the gate while
// others wait for a message on the same occasion. One of the two sides detects that.
// Invariants
// 1. No process arrives for the next occasion before the last process of this one has.
// 2. A gate that was given up is not used again, because the number of arrivals is unknown; waiting
//    processes are turned away.
// 3. A process about to sleep announces it before a last check; a process that lets the others
//    continue checks for that afterwards ([gate-3], as [attention-1]).
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

// A condition that is waited for at a gate.
struct Door {
    std::atomic<uint32_t> passages; // how often it has been opened
    std::atomic<uint32_t> somebody_sleeps;

    // Returns how often it has been opened. acquire [gate-4]: what the arrived processes have done
    // before. seq_cst [gate-3]: the last look before a sleep.
    uint32_t now() const { return passages.load(std::memory_order_seq_cst); }
};

// In shared memory, zero at first.
struct Gate {
    // A process and its operation, so that others can detect that theirs is a different one.
    struct Visitor {
        uint32_t process = 0;
        uint32_t says = 0;
    };

    alignas(64) std::atomic<uint32_t> arrived;
    std::atomic<uint64_t> occasion; // occasion of the arrived processes, and one of them
    std::atomic<Visitor> visitor;
    std::atomic<uint64_t> visitor_call; // code of its call site
    // Occasion of processes that wait for messages instead, and one of them.
    std::atomic<uint64_t> elsewhere;
    std::atomic<Visitor> absentee;
    std::atomic<uint64_t> absentee_call;
    std::atomic<uint32_t> absentee_function;
    alignas(64) Door completed; // when all have arrived
    Door opened;                // when one of them opens it
    std::atomic<uint32_t> given_up;

    // Counts the caller in. Returns true if it is the last of `members`.
    bool arrive(uint64_t the_occasion, Visitor self, uint64_t call, uint32_t members) {
        // Published by the last store, like the next ones.
        visitor.store(self, std::memory_order_relaxed);
        visitor_call.store(call, std::memory_order_relaxed);
        occasion.store(the_occasion, std::memory_order_relaxed);
        // seq_cst [gate-1]: what all have done before is seen by the last one; and before a look at
        // `elsewhere` [gate-2].
        if (arrived.fetch_add(1, std::memory_order_seq_cst) + 1 < members)
            return false;
        // Published together with the passage of the door.
        arrived.store(0, std::memory_order_relaxed);
        return true;
    }

    // Returns whether other processes wait for messages on this occasion. Called by a process that
    // has arrived.
    bool is_awaited_elsewhere(uint64_t the_occasion) const {
        return elsewhere.load(std::memory_order_seq_cst) == the_occasion; // [gate-2]
    }

    // Records that the caller waits for messages. Returns true if other processes have arrived at
    // the gate instead.
    bool wait_elsewhere(uint64_t the_occasion, Visitor self) {
        absentee.store(self, std::memory_order_relaxed);
        elsewhere.store(the_occasion, std::memory_order_seq_cst); // [gate-2]
        // seq_cst [gate-2]; acquire [gate-1]: the occasion of those that have arrived.
        return arrived.load(std::memory_order_seq_cst) > 0 &&
               occasion.load(std::memory_order_relaxed) == the_occasion;
    }
};

// A wait at a door which no process had passed since `before` was read.
struct GateWait {
    Gate *gate = nullptr;
    Door *door = nullptr;
    uint32_t before = 0;
    uint64_t occasion = 0;
    void (*ended)(uint64_t occasion) = nullptr; // called once, like an arrive function

    bool has_passed() const { return door->now() != before; } // [gate-3]

    bool is_over() const {
        return has_passed() || gate->given_up.load(std::memory_order_seq_cst) != 0; // [gate-3]
    }
};

} // namespace thrum
