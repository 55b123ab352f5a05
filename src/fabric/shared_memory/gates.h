// Gates: one process's view of gates (gate.h): which of its own are in use, and which doors it
// waits for. The thread that checks for packets checks these, too (SharedMemory).
#pragma once
#include "base/spinlock.h"
#include "fabric/channel/gate.h"

#include <vector>

namespace thrum {

class Gates {
public:
    // Returns the number of a free gate of this process; -1: all are in use.
    int take(int gates_max);
    // Makes a gate free again.
    void give_back(int number);

    // Begins a wait; `ended` of the wait is called once when it is over, perhaps at once.
    void await(const GateWait &wait);
    // Removes a wait whose `ended` has not been called.
    void forget(const GateWait &wait);

    // Returns whether any waits exist.
    bool some_wait(std::memory_order order = std::memory_order_relaxed) const {
        return count_.load(order) > 0;
    }

    // Returns whether one of the waits is over.
    bool some_are_over();
    // Returns whether a wait is over and its ended() has perhaps not returned yet.
    bool some_are_unfinished();
    // Announces a sleep, before a last check.
    void announce_sleep();
    // Ends the waits that are over; returns true if there were any.
    bool take_in();

    // Counts `others` processes that this one has let pass. release [traffic-1]
    void note_passage(uint64_t others) { let_go_.fetch_add(others, std::memory_order_release); }

    // Counts that this process was let pass while it looked at the gate, so that no wait ends. The
    // caller's rank is active. release [traffic-1]
    void note_passed_at_once() { gone_on_.fetch_add(1, std::memory_order_release); }

    // Return how often this process has let another one pass, and has been let pass. They count as
    // messages sent and taken, for FabricTraffic. acquire [traffic-1]
    uint64_t let_go() const { return let_go_.load(std::memory_order_acquire); }

    // acquire [traffic-1]
    uint64_t gone_on() const { return gone_on_.load(std::memory_order_acquire); }

private:
    SpinLock lock_;
    uint64_t taken_ = 0; // a bit for each gate of this process in use; under lock_, like waits_
    std::vector<GateWait> waits_;
    std::atomic<size_t> count_{0}; // size of waits_; written under lock_
    // Waits that are no longer in waits_ but whose ended() runs; begun under lock_.
    std::atomic<int> ending_{0};
    std::atomic<uint64_t> let_go_{0};
    std::atomic<uint64_t> gone_on_{0};
};

} // namespace thrum
