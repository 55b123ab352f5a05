#include "inspect/poll_watch.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace thrum {

// Not MPI_Request_get_status, which may succeed again and again without an effect.
bool is_polling_function(const char *name) {
    static constexpr std::string_view names[] = {"MPI_Test",     "MPI_Testall", "MPI_Testany",
                                                 "MPI_Testsome", "MPI_Iprobe",  "MPI_Improbe"};
    return std::ranges::find(names, name) != std::end(names);
}

// A look may find a polling rank between two calls, where the kernel has taken its core. On a busy
// machine this is often so.
bool PollWatch::add(int64_t now_ns, const std::vector<uint32_t> &progress,
                    const std::vector<Seen> &seen) {
    constexpr int slack = 2;
    bool stays = looks_ > 0 && progress == progress_;
    for (size_t i = 0; i < seen.size() && stays; ++i) {
        misses_[i] += seen[i] == Seen::Other;
        if (seen[i] == Seen::Polls)
            polls_[i] = true;
        stays = 2 * misses_[i] <= looks_ + slack;
    }
    if (!stays) {
        progress_ = progress;
        misses_.assign(seen.size(), 0);
        polls_.assign(seen.size(), false);
        looks_ = 1;
        since_ns_ = now_ns;
        return false;
    }
    ++looks_;
    return looks_ >= looks_min && now_ns - since_ns_ >= patience_ns;
}

bool PollWatch::some_poll() const {
    return std::ranges::find(polls_, true) != polls_.end();
}

} // namespace thrum
