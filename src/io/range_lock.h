// RangeLock: who may touch which bytes of a file in atomic mode (MPI 5.0 section 14.6.1). Ranges
// that overlap exclude each other, unless both only read. Served in the order of their coming, so
// that nobody waits for ever.
//
// A range is asked for by a Claim, which lives until it is released. What happens when it is
// granted is the claim's: a task goes on, or a job is started. Nobody sleeps in here.
#pragma once
#include "base/spinlock.h"
#include "fiber/completion.h"

#include <cstdint>

namespace thrum {

class RangeLock {
public:
    struct Claim {
        int64_t first = 0;
        int64_t end = 0;
        bool exclusive = false;
        bool granted = false;
        // Called once it is granted, without a lock; nullptr: `completion` completes.
        void (*on_grant)(void *argument) = nullptr;
        void *argument = nullptr;
        Completion completion;
        Claim *next = nullptr;
        // Of one that another process grants (keeper.h).
        uint64_t keepers_part = 0;   // what it knows it by
        bool keeper_is_lost = false; // written before the grant, which is none then

        void grant() {
            if (on_grant)
                on_grant(argument);
            else
                completion.complete();
        }
    };

    // The claim is granted at once, or when those that came before it and are in its way are gone.
    void ask(Claim &claim);
    void release(Claim &claim);

private:
    static bool conflict(const Claim &a, const Claim &b) {
        return a.first < b.end && b.first < a.end && (a.exclusive || b.exclusive);
    }

    SpinLock lock_;          // guards the list and `granted`
    Claim *first_ = nullptr; // in the order of asking
    Claim *last_ = nullptr;
};

} // namespace thrum
