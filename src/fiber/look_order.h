// The order in which an idle worker looks at others for tasks that wait: one worker at a time, near
// ones first. With places (fiber/places.h) it goes round three circles: the workers that share its
// cache, the others of its NUMA node, and those of other nodes. Looks at other nodes are few, and
// come only after looks nearby were in vain.
#pragma once
#include "fiber/places.h"

namespace thrum {

class LookOrder {
public:
    // At most so many looks at a circle before those at the next one. All nearby ones together end
    // before an idle worker falls asleep.
    static constexpr int near_looks_max = 16;
    static constexpr int far_looks_max = 8;

    // For worker `own` of `count`; `place` is nullptr if workers have none.
    void begin(int own, int count, const WorkerPlace *place);

    // Returns the number of the worker to look at; -1: there is no other.
    int next();

    // The next looks are at near workers again: this one has had work.
    void restart() { circle_ = looks_ = 0; }

private:
    // The workers of `range` without those of `inside`.
    struct Circle {
        WorkerRange range;
        WorkerRange inside;
        int looks = 0; // at this circle, before those at the next
        int last = 0;  // at whom the last look was
    };

    void add(const WorkerRange &range, const WorkerRange &inside, int looks_max);

    Circle circles_[3];
    int circles_count_ = 0;
    int circle_ = 0;
    int looks_ = 0; // so many at this circle
};

} // namespace thrum
