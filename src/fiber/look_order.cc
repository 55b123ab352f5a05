#include "fiber/look_order.h"

#include <algorithm>
#include <climits>

namespace thrum {

void LookOrder::begin(int own, int count, const WorkerPlace *place) {
    const WorkerRange self{own, 1};
    const WorkerRange all{0, count};
    circles_count_ = 0;
    restart();
    if (!place) {
        add(all, self, INT_MAX);
    } else {
        add(place->cache_mates, self, near_looks_max);
        add(place->node_mates, place->cache_mates, near_looks_max);
        add(all, place->node_mates, far_looks_max);
    }
    // Begins behind itself in each circle, so that not all look at the same ones.
    for (Circle &circle : circles_)
        circle.last = own;
}

void LookOrder::add(const WorkerRange &range, const WorkerRange &inside, int looks_max) {
    if (const int others = range.count - inside.count; others > 0)
        circles_[circles_count_++] = {range, inside, std::min(others, looks_max), 0};
}

int LookOrder::next() {
    if (circles_count_ == 0)
        return -1;
    if (looks_ == circles_[circle_].looks) {
        looks_ = 0;
        circle_ = (circle_ + 1) % circles_count_;
    }
    ++looks_;
    Circle &c = circles_[circle_];
    do {
        c.last = c.last + 1 < c.range.first + c.range.count ? c.last + 1 : c.range.first;
    } while (c.inside.contains(c.last));
    return c.last;
}

} // namespace thrum
