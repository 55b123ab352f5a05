// Handlers of faults: the frame in which a program's handler of SIGSEGV, SIGBUS, SIGFPE, SIGILL or
// SIGABRT runs (libc/signals.h).
//
// The kernel has delivered the signal on the worker's signal stack, on which the handler must not
// run: it may suspend, or leave by longjmp(). So it gets a frame on the rank's stack, in the layout
// of the kernel's (struct rt_sigframe). Its return address is one that unwinders take for the end
// of a signal's frame: a backtrace leads from the handler into the function that has faulted.
//
// The steps: enter_fault_handler() builds the frame and changes the trampoline's context, so that
// its return enters run_fault_handler() on the rank's stack. That calls the program's handler, and
// its return leads to thrum_return_from_fault(), which restores the registers of the faulting code.
#include "fiber/stack.h"
#include "libc/libc_state.h"
#include "libc/signals.h"
#include "rank/thread_stack.h"

#include <cstddef>
#include <cstring>
#include <ucontext.h>

namespace thrum {
namespace {

constexpr size_t kernel_context_bytes = 304; // struct ucontext in the kernel's frame

// The frame, as the kernel lays it out. At the entry of a function its return address lies 8 bytes
// below a multiple of 16.
struct FaultFrame {
    void (*return_address)();
    std::byte context_bytes[kernel_context_bytes];
    siginfo_t info;

    // glibc's type is larger than the kernel's. What it reads beyond lies in the frame, too.
    ucontext_t &context() { return *reinterpret_cast<ucontext_t *>(context_bytes); }
};

static_assert(offsetof(FaultFrame, info) == 8 + kernel_context_bytes);
static_assert(offsetof(ucontext_t, uc_mcontext) == 40); // as thrum_return_from_fault says

// Returns the size of the floating-point state that the kernel pushes beside the registers. The
// state itself contains its size, in the bytes that the hardware leaves to software.
size_t extended_state_bytes(const void *state) {
    constexpr size_t legacy_bytes = 512, software_at = 464;
    constexpr uint32_t magic = 0x46505853; // FP_XSTATE_MAGIC1
    uint32_t words[2];
    std::memcpy(words, static_cast<const char *>(state) + software_at, sizeof words);
    return words[0] == magic ? words[1] : legacy_bytes;
}

// Gives the handler the default control words, with all exceptions masked: with those of the
// program, what has raised SIGFPE would do so again.
void reset_floating_point(void *state) {
    struct {
        uint16_t control_word, status_word;
    } x87 = {0x37f, 0};

    constexpr size_t mxcsr_at = 24;
    constexpr uint32_t mxcsr = 0x1f80;
    std::memcpy(state, &x87, sizeof x87);
    std::memcpy(static_cast<char *>(state) + mxcsr_at, &mxcsr, sizeof mxcsr);
}

// Where the handler's frame may lie: below `top`, and not below `low`.
struct Place {
    uintptr_t low, top;
};

// Returns the place: below what the interrupted code uses, or at the top of the alternate stack.
// The red zone is what a function may use below its stack pointer without reserving it.
Place place_of_frame(const RankThread &self, const SignalAction &action, const siginfo_t &info,
                     uintptr_t stack_pointer) {
    constexpr uintptr_t red_zone_bytes = 128, near_bytes = 64 << 10;
    const ThreadSignals &signals = signals_of(self);
    auto alternate = reinterpret_cast<uintptr_t>(signals.alternate_low);
    bool is_there =
        stack_pointer > alternate && stack_pointer <= alternate + signals.alternate_bytes;
    if (signals.has_alternate && is_there)
        return {alternate, stack_pointer - red_zone_bytes};
    if (signals.has_alternate && (action.flags & SA_ONSTACK))
        return {alternate, alternate + signals.alternate_bytes};
    Place place{0, stack_pointer - red_zone_bytes};
    auto low = reinterpret_cast<uintptr_t>(self.stack_low);
    auto high = reinterpret_cast<uintptr_t>(self.stack_high);
    const ThreadStack &own = thread_stack();
    auto fault = reinterpret_cast<uintptr_t>(info.si_addr);
    if (low && stack_pointer < high)
        place.low = low + StackArena::guard_bytes;
    else if (stack_pointer < own.high && stack_pointer + near_bytes > own.low)
        place.low = own.low;
    // If the stack is unknown, a fault near the stack pointer shows that it is used up.
    else if (info.si_signo == SIGSEGV && info.si_code > 0 && fault + near_bytes > place.top &&
             fault < place.top + near_bytes)
        place.low = place.top;
    return place;
}

// Ends the process with the report of the original fault, if the handler has done signal(SIGSEGV,
// SIG_DFL) and raise(SIGSEGV), which takes effect when it returns.
void die_if_asked_to(RankThread &self, FaultFrame &frame) {
    int signal = frame.info.si_signo;
    siginfo_t raised;
    SignalHold hold; // its end delivers what else is pending
    if (signals_of(self).mask.load(std::memory_order_relaxed) & set_of(signal))
        return;
    if (action_of(self, signal, false).handler == reinterpret_cast<void *>(SIG_DFL) &&
        take_signal(self, set_of(signal), raised))
        do_process_action(signal, &frame.info, &frame.context());
}

// The function that the trampoline returns into. The program sees the rank's mask in its context
// and may change it there; the kernel's mask is put back before rt_sigreturn(2).
void run_fault_handler(FaultFrame *frame) {
    RankThread &self = current_rank_thread();
    ucontext_t &context = frame->context();
    SignalSet kernel_mask, mask = signals_of(self).mask.load(std::memory_order_relaxed);
    std::memcpy(&kernel_mask, &context.uc_sigmask, sizeof kernel_mask);
    std::memcpy(&context.uc_sigmask, &mask, sizeof mask);
    SignalAction action = action_of(self, frame->info.si_signo, true);
    run_action(self, action, frame->info, &context);
    RankThread &same = current_rank_thread();             // perhaps on another worker
    std::memcpy(&mask, &context.uc_sigmask, sizeof mask); // which the handler may have changed
    signals_of(same).mask.store(mask, std::memory_order_relaxed);
    std::memcpy(&context.uc_sigmask, &kernel_mask, sizeof kernel_mask);
    die_if_asked_to(same, *frame);
    keep_signal_stack(context);
}

} // namespace

// rt_sigreturn(2) sets the signal stack that it finds in the context.
void keep_signal_stack(ucontext_t &context) {
    ::sigaltstack(nullptr, &context.uc_stack);
}

// The floating-point state comes first, aligned to 64 bytes as XRSTOR asks; the frame lies below
// it.
bool enter_fault_handler(RankThread &self, const SignalAction &action, const siginfo_t &info,
                         ucontext_t &context) {
    greg_t *registers = context.uc_mcontext.gregs;
    Place place = place_of_frame(self, action, info, static_cast<uintptr_t>(registers[REG_RSP]));
    size_t state_bytes = extended_state_bytes(context.uc_mcontext.fpregs);
    constexpr uintptr_t spare_bytes = 1024; // for run_fault_handler() itself
    uintptr_t needed_bytes = state_bytes + sizeof(FaultFrame) + 128 + spare_bytes;
    if (place.top < place.low + needed_bytes)
        return false;
    uintptr_t state = (place.top - state_bytes) & ~uintptr_t{63};
    auto *frame =
        reinterpret_cast<FaultFrame *>(((state - sizeof(FaultFrame)) & ~uintptr_t{15}) - 8);
    std::memcpy(reinterpret_cast<void *>(state), context.uc_mcontext.fpregs, state_bytes);
    std::memcpy(&frame->info, &info, sizeof info);
    std::memcpy(frame->context_bytes, static_cast<void *>(&context), kernel_context_bytes);
    frame->context().uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(state);
    frame->return_address = &thrum_return_from_fault;
    reset_floating_point(context.uc_mcontext.fpregs);
    constexpr greg_t direction_flag = 0x400;
    registers[REG_RIP] = reinterpret_cast<greg_t>(&run_fault_handler);
    registers[REG_RDI] = reinterpret_cast<greg_t>(frame);
    registers[REG_RSP] = reinterpret_cast<greg_t>(frame);
    registers[REG_EFL] &= ~direction_flag;
    return true;
}

} // namespace thrum
