#include "comm/warned_lines.h"

#include "base/spinlock.h"
#include "comm/call_names.h"

namespace thrum {
namespace {

// The pairs as numbers. A program with more mistakes than fit gets no further warnings.
class WarnedLines {
public:
    bool enter(uint64_t pair) {
        LockGuard guard(lock_);
        for (int i = 0; i < count_; ++i)
            if (pairs_[i] == pair)
                return false;
        if (count_ == pairs_max)
            return false;
        pairs_[count_++] = pair;
        return true;
    }

private:
    static constexpr int pairs_max = 256;

    SpinLock lock_; // guards the rest
    int count_ = 0;
    uint64_t pairs_[pairs_max] = {};
};

constinit WarnedLines warned_lines;

} // namespace

bool is_first_warning(PairMistake mistake, const CallPlace &first, const CallPlace &second) {
    constexpr uint64_t factor = 0x9e3779b97f4a7c15; // mixes the numbers
    const uint64_t lines = number_of_call(first) * factor + number_of_call(second);
    return warned_lines.enter(lines * factor + static_cast<uint64_t>(mistake));
}

} // namespace thrum
