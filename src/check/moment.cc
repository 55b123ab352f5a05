#include "check/moment.h"

#include "base/clock.h"
#include "base/spinlock.h"
#include "fiber/os_threads.h"
#include "fiber/timer.h"
#include "rank/rank.h"

#include <unordered_map>

namespace thrum {
namespace {

constexpr int64_t moment_ns = 1'000'000; // threads of a team begin their work within it
constexpr int moments_max = 3;           // at each place in the program

// Returns whether the rank has another thread that may use its memory now.
bool has_other_threads(const RankThread &self) {
    struct Search {
        const RankThread &self;
        bool found;
    } search{.self = self, .found = &self != self.rank};

    visit_os_threads(
        [](Task &task, void *argument) {
            auto &searched = *static_cast<Search *>(argument);
            const auto &thread = static_cast<RankThread &>(task);
            searched.found |= thread.rank == searched.self.rank && &thread != &searched.self;
        },
        &search);
    return search.found;
}

} // namespace

bool is_moment_due() {
    const RankThread &self = current_rank_thread();
    if (!has_other_threads(self))
        return false;
    static SpinLock
        lock; // guards the numbers, which are never freed: threads may call until the end
    static auto *const moments = new std::unordered_map<const void *, int>;
    const LockGuard guard(lock);
    return (*moments)[place_of(self.call).call_site]++ < moments_max;
}

void pass_moment() {
    wait_until(now_ns() + moment_ns);
}

} // namespace thrum
