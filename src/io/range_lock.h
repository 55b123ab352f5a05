// RangeLock: which access may touch which bytes of a file in atomic mode (MPI 5.0 section 14.6.1).
// Ranges that overlap exclude each other, unless both only read. Claims are served in the order in
// which they ask, so none waits for ever.
//
// A claim is a record of the caller, in the list from ask() to release(). Its grant wakes a task or
// starts a job; nobody sleeps in here.
#pragma once
#include "base/spinlock.h"
#include "fiber/completion.h"

#include <cstdint>

namespace thrum {

// The claims on the ranges of one file.
class RangeLock {
public:
    // A range that somebody wants, or holds. It must not move or be freed before release().
    struct Claim {
        int64_t first = 0; // bytes of the file: [first, end)
        int64_t end = 0;
        bool exclusive = false; // a write
        bool granted = false;   // guarded by the lock
        // Called without a lock when it is granted; nullptr: completes `completion`.
        void (*on_grant)(void *argument) = nullptr;
        void *argument = nullptr;
        Completion completion;
        Claim *next = nullptr;
        // The next two are for a claim that another process grants (keeper.h).
        uint64_t keepers_part = 0;   // address of its counterpart there
        bool keeper_is_lost = false; // set before grant(): the range is not locked

        void grant() {
            if (on_grant)
                on_grant(argument);
            else
                completion.complete();
        }
    };

    // Queues the claim. It is granted at once, perhaps in this call, or when all earlier claims
    // that conflict with it are released.
    void ask(Claim &claim);
    // Releases a granted claim and grants those that waited for it.
    void release(Claim &claim);

private:
    // Returns whether two claims exclude each other.
    static bool conflict(const Claim &a, const Claim &b) {
        return a.first < b.end && b.first < a.end && (a.exclusive || b.exclusive);
    }

    SpinLock lock_;          // guards the list and `granted`
    Claim *first_ = nullptr; // in the order of ask()
    Claim *last_ = nullptr;
};

} // namespace thrum
