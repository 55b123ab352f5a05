// Backtrace: the program counters of a crashed task's frames, innermost first, in bounded memory. A
// signal handler must not allocate, and a runaway recursion has a million frames. Of these it keeps
// the first ones, the length of the cycle, and the frames that started it.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

// Not thread-safe: used by the thread that has claimed the final report.
class Backtrace {
public:
    static constexpr size_t head_max = 32;
    static constexpr size_t tail_max = 16;  // a power of two
    static constexpr size_t period_max = 8; // functions in a cycle of mutual recursion

    // Adds the next frame outwards. `pc` is inside the instruction that the frame executes.
    void add(const void *pc);

    size_t size() const { return size_; }

    // The innermost frames.
    size_t head_size() const { return size_ < head_max ? size_ : head_max; }

    const void *head(size_t i) const { return head_[i]; }

    // The outermost frames, outermost last. None of them is in the head or in the recursion.
    size_t tail_size() const { return outer_ < tail_max ? outer_ : tail_max; }

    const void *tail(size_t i) const { return tail_[(outer_ - tail_size() + i) % tail_max]; }

    // Frames [recursion_begin(), + recursion_size()) are cycles of `period()` frames each, and so
    // is the rest of the head. period() is 0 if nothing repeats.
    size_t period() const { return period_; }

    size_t recursion_begin() const { return begin_; }

    size_t recursion_size() const { return repeating_; }

private:
    // Sets period_, begin_ and repeating_ if the head ends with a cycle.
    void find_period();

    size_t size_ = 0;  // all frames that were added
    size_t outer_ = 0; // frames that went to the tail
    size_t period_ = 0;
    size_t begin_ = 0;     // index of the first frame in the recursion
    size_t repeating_ = 0; // frames in the recursion
    const void *head_[head_max];
    const void *tail_[tail_max];
};

// Adds the frames that the signal interrupted whose handler is the caller, from the one at
// `ucontext`'s program counter outwards. A call to an address without code appears as its caller's
// frame; `ucontext` is changed for that.
void walk_interrupted(Backtrace &backtrace, void *ucontext);

} // namespace thrum
