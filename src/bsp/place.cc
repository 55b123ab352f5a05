// entry/entry.h records each call in the rank's thread.
#include "bsp/place.h"

#include "rank/rank.h"

namespace thrum::bsp {

Place current_place() {
    const RankThread &self = current_rank_thread();
    return {self.rank->world_rank, self.call.function.load(std::memory_order_relaxed),
            self.call.call_site.load(std::memory_order_relaxed)};
}

} // namespace thrum::bsp
