// Walks the frames of a crashed task with libgcc's unwinder, and keeps a bounded part of them
// (backtrace.h). The unwinder finds its tables by _dl_find_object, which takes no lock and knows
// the clones, too.
#include "inspect/backtrace.h"

#include "inspect/symbols.h"

#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

namespace thrum {

// Adds a frame. The first frames fill the head; when it is full, a recursion is looked for in it.
// From then on a frame that continues the recursion is only counted, and all others go to the tail,
// a ring that keeps the last ones. Once a frame has left the recursion, none belongs to it any
// more.
void Backtrace::add(const void *pc) {
    size_t index = size_++;
    if (index < head_max) {
        head_[index] = pc;
        if (size_ == head_max)
            find_period();
        return;
    }
    // Still in the recursion if no frame has left it and this one equals the frame one period
    // before.
    bool inside = period_ && outer_ == 0;
    if (inside && pc == head_[begin_ + (index - begin_) % period_])
        ++repeating_;
    else
        tail_[outer_++ % tail_max] = pc;
}

// Finds the smallest cycle that fills the head except for some frames at its start (what the
// innermost call does before it fails).
void Backtrace::find_period() {
    constexpr size_t begin_max = 8;
    for (size_t period = 1; period <= period_max; ++period) {
        size_t begin = head_max - period;
        while (begin > 0 && head_[begin - 1] == head_[begin - 1 + period])
            --begin;
        if (begin <= begin_max) {
            period_ = period;
            begin_ = begin;
            repeating_ = head_max - begin;
            return;
        }
    }
}

namespace {

constexpr size_t frames_max = 1'000'000; // a corrupt stack may have no end

// The state of a walk through the frames.
struct Walk {
    Backtrace *backtrace;
    uintptr_t interrupted_pc; // the first frame of interest
    bool reached;             // frames further in are those of the signal handler
};

// Called by the unwinder for each frame. A return address is decremented, so that it is inside the
// call and its line is that of the call.
_Unwind_Reason_Code visit(_Unwind_Context *context, void *argument) {
    Walk &walk = *static_cast<Walk *>(argument);
    int exact = 0; // whether the frame was interrupted, not left by a call
    uintptr_t pc = _Unwind_GetIPInfo(context, &exact);
    if (pc == 0)
        return _URC_END_OF_STACK;
    if (!walk.reached && !(exact && pc == walk.interrupted_pc))
        return _URC_NO_REASON; // the handler's own frames
    walk.reached = true;
    walk.backtrace->add(reinterpret_cast<const void *>(exact ? pc : pc - 1));
    return walk.backtrace->size() < frames_max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// Reads a word of this process that may not be mapped. The kernel returns an error instead of a
// fault.
bool read_word(uintptr_t address, uintptr_t &word) {
    iovec to{&word, sizeof word};
    iovec from{reinterpret_cast<void *>(address), sizeof word};
    return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof word);
}

} // namespace

// Frames of the signal handler itself are skipped: the walk starts counting at the interrupted
// program counter. If the unwinder does not find that frame, it alone is recorded.
void walk_interrupted(Backtrace &backtrace, void *ucontext) {
    greg_t *registers = static_cast<ucontext_t *>(ucontext)->uc_mcontext.gregs;
    auto pc = static_cast<uintptr_t>(registers[REG_RIP]);
    if (!find_location(reinterpret_cast<const void *>(pc)).path) {
        // A call through a wrong pointer: there is no unwind information for this frame, but its
        // return address is on top of the stack. Undoes the call.
        backtrace.add(reinterpret_cast<const void *>(pc));
        uintptr_t return_address = 0;
        auto stack_pointer = static_cast<uintptr_t>(registers[REG_RSP]);
        if (!read_word(stack_pointer, return_address))
            return;
        pc = return_address - 1; // inside the call
        registers[REG_RIP] = static_cast<greg_t>(pc);
        registers[REG_RSP] = static_cast<greg_t>(stack_pointer + sizeof return_address);
    }
    Walk walk{&backtrace, pc, false};
    _Unwind_Backtrace(visit, &walk);
    if (!walk.reached)
        backtrace.add(reinterpret_cast<const void *>(pc));
}

} // namespace thrum
