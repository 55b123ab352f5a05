// The handler of crash signals (crash.h). It runs on the thread's signal stack, after a fault at
// any point of the program, so it uses static memory only.
//
//   continue a handle's read   the handle is no address (base/handle_read.h): an error, no crash
//   claim the report           a second crash of the same thread is reported in one line
//   note who, stack, MPI call  from the rank's record
//   walk the frames            backtrace.h
//   name them                  by another process, with a time limit (symbols.h)
//   print, then leave          or raise the signal again, if a core file is wanted
#include "inspect/crash.h"

#include "base/check.h"
#include "base/end_function.h"
#include "base/handle_read.h"
#include "base/job_settings.h"
#include "base/settings.h"
#include "fiber/stack.h"
#include "inspect/backtrace.h"
#include "inspect/final_report.h"
#include "inspect/names.h"
#include "inspect/stack_fault.h"
#include "inspect/symbols.h"
#include "rank/contained.h"
#include "rank/guarded_run.h"
#include "rank/job_end.h"
#include "rank/rank.h"
#include "rank/thread_stack.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t signal_stack_bytes = 128 << 10;
constexpr int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr size_t tail_shown_max = 8; // outermost frames that are printed

// The signal stack of a thread. A handler needs one, because the thread's own stack may have
// overflowed.
struct SignalStack {
    void *memory = nullptr;
    stack_t previous = {}; // none, or a sanitizer's, which frees it at the thread's end

    // MAP_NORESERVE: a thousand threads may have one each, and few ever use it.
    void install() {
        memory = ::mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            memory = nullptr; // crashes other than a stack overflow are still reported
            return;
        }
        stack_t stack{};
        stack.ss_sp = memory;
        stack.ss_size = signal_stack_bytes;
        ::sigaltstack(&stack, &previous);
    }

    // Frees the stack at the thread's end. Not on the main thread: its thread-locals belong to rank
    // 0, which ends, perhaps on another worker, while the thread continues as a worker.
    ~SignalStack() {
        stack_t present{};
        if (!memory || ::gettid() == ::getpid() || ::sigaltstack(nullptr, &present) != 0 ||
            present.ss_sp != memory)
            return;
        ::sigaltstack(&previous, nullptr);
        ::munmap(memory, signal_stack_bytes);
    }
};

thread_local SignalStack signal_stack;

pid_t job_pid = 0; // to recognise forked children

// The crash being reported; written only by the thread that has claimed the report. It is static,
// since the signal stack is small.
struct Crash {
    int signal;
    const siginfo_t *info; // on the signal stack
    char who[48];          // "rank 3"
    enum class StackKind { Rank, Process, Thread } stack_kind;
    StackFault fault;
    size_t stack_bytes; // as it was requested
    Backtrace backtrace;
    Symbol symbols[Backtrace::head_max + Backtrace::tail_max + 2];
    size_t symbol_count;   // of the frames; the places of the two MPI calls follow them
    const void *call_site; // of the MPI call; nullptr: outside MPI
    unsigned function;     // the MPI function; 0: none
    // The rank whose buffer it copies from or to; its call. nullptr: it copies nobody else's.
    const Rank *other;
    const void *other_call_site;
    unsigned other_function;
};

Crash crash;

// The cause of SIGFPE, from the signal's code.
const char *arithmetic_text(int code) {
    switch (code) {
    case FPE_INTDIV:
        return "integer division by zero";
    case FPE_INTOVF:
        return "integer overflow";
    case FPE_FLTDIV:
        return "floating-point division by zero";
    case FPE_FLTINV:
        return "invalid floating-point operation";
    default:
        return "arithmetic error";
    }
}

// Returns whether the frames are those of std::terminate(), which calls abort().
bool uncaught_exception() {
    for (size_t i = 0; i < crash.symbol_count; ++i)
        if (!std::strncmp(crash.symbols[i].function, "std::terminate", 14) ||
            std::strstr(crash.symbols[i].function, "verbose_terminate_handler"))
            return true;
    return false;
}

// Describes the signal's cause. For an access to a non-canonical address the kernel gives no
// address; SI_KERNEL tells that case.
const char *what_happened(char *buffer, size_t size_bytes) {
    const siginfo_t &info = *crash.info;
    if (crash.signal == SIGABRT)
        return uncaught_exception() ? "uncaught C++ exception" : "abort() was called";
    if (info.si_code <= 0) // kill(2), sigqueue(3)
        std::snprintf(buffer, size_bytes, "signal %d (%s) from process %d", crash.signal,
                      sigdescr_np(crash.signal), info.si_pid);
    else if (crash.signal == SIGFPE)
        return arithmetic_text(info.si_code);
    else if (crash.signal == SIGSEGV && info.si_code == SI_KERNEL)
        return "segmentation fault at an invalid (non-canonical) address";
    else
        std::snprintf(buffer, size_bytes, "%s at address 0x%lx",
                      crash.signal == SIGSEGV  ? "segmentation fault"
                      : crash.signal == SIGBUS ? "bus error"
                                               : "illegal instruction",
                      reinterpret_cast<unsigned long>(info.si_addr));
    return buffer;
}

// Records who crashed. A thread without a task is a worker between two ranks, or belongs to a
// library.
void note_who(const RankThread *thread) {
    if (!thread || !thread->rank)
        std::snprintf(crash.who, sizeof crash.who, "a thread that belongs to no rank");
    else
        std::snprintf(crash.who, sizeof crash.who, "rank %d%s", thread->rank->world_rank,
                      thread == thread->rank ? "" : " (in another thread)");
}

// Returns the stack's size as it was requested: the distance between its ends is a few pages more.
size_t nominal_stack_bytes(size_t actual_bytes) {
    size_t asked =
        settings().stack_bytes ? settings().stack_bytes : default_stack_bytes(rank_count());
    rlimit limit{};
    if (crash.stack_kind == Crash::StackKind::Process && ::getrlimit(RLIMIT_STACK, &limit) == 0)
        asked = limit.rlim_cur;
    constexpr size_t rounding_bytes = 64 << 10;
    size_t difference = asked > actual_bytes ? asked - actual_bytes : actual_bytes - asked;
    return difference <= rounding_bytes ? asked : actual_bytes;
}

// Finds the stack on which the fault happened (a fiber's, a thread's, or the process's), and
// whether it has overflowed.
void note_stack(const RankThread *thread, const void *ucontext) {
    auto low = reinterpret_cast<uintptr_t>(thread ? thread->stack_low : nullptr);
    auto high = reinterpret_cast<uintptr_t>(thread ? thread->stack_high : nullptr);
    if (low == 0) { // rank 0, on the process's stack, or a thread made by a rank
        bool own_thread = thread && thread->rank && thread != thread->rank;
        crash.stack_kind = own_thread ? Crash::StackKind::Thread : Crash::StackKind::Process;
        low = thread_stack().low;
        high = thread_stack().high;
    }
    crash.stack_bytes = nominal_stack_bytes(high - low);
    if (crash.signal != SIGSEGV && crash.signal != SIGBUS)
        return;
    const greg_t *registers = static_cast<const ucontext_t *>(ucontext)->uc_mcontext.gregs;
    auto stack_pointer = static_cast<uintptr_t>(registers[REG_RSP]);
    crash.fault = classify_stack_fault(reinterpret_cast<uintptr_t>(crash.info->si_addr),
                                       stack_pointer, low, high);
    if (crash.fault.overflow) {
        // A large frame is probed page by page, so the fault is at its beginning: the advice must
        // cover all of it.
        uintptr_t end = probed_frame_end(reinterpret_cast<const void *>(registers[REG_RIP]),
                                         stack_pointer, static_cast<uintptr_t>(registers[REG_R11]));
        crash.fault.used_bytes = std::max(crash.fault.used_bytes, high - end);
    }
}

// Records the MPI call that the thread is in. Without one, the recorded call site is that of an
// earlier call.
void note_call(const RankThread &self) {
    crash.function = self.call.function.load(std::memory_order_relaxed);
    const void *site = self.call.call_site.load(std::memory_order_relaxed);
    crash.call_site = crash.function ? site : nullptr;
    crash.other = self.call.copies_for.load(std::memory_order_relaxed);
    if (!crash.other || crash.other == self.rank)
        return;
    crash.other_function = crash.other->call.function.load(std::memory_order_relaxed);
    if (crash.other_function)
        crash.other_call_site = crash.other->call.call_site.load(std::memory_order_relaxed);
}

// Finds the symbols of the shown frames and, as the last ones, of the places of the MPI calls.
void name_frames() {
    const Backtrace &frames = crash.backtrace;
    size_t n = 0;
    for (size_t i = 0; i < frames.head_size(); ++i)
        crash.symbols[n++].address = frames.head(i);
    for (size_t i = 0; i < frames.tail_size(); ++i)
        crash.symbols[n++].address = frames.tail(i);
    crash.symbol_count = n;
    for (const void *site : {crash.call_site, crash.other_call_site})
        if (site)
            crash.symbols[n++].address = static_cast<const char *>(site) - 1;
    size_t all = n;
    GuardedRun guard; // the crash may have been in malloc, which is needed to start a process
    guard.attempt([](void *count) { symbolize(crash.symbols, *static_cast<size_t *>(count)); },
                  &all);
}

// Returns the index of the frame to blame: the first with a source line outside the system's
// libraries. C-library functions have no line, or only their own.
size_t culprit() {
    for (size_t i = 0; i < crash.symbol_count; ++i)
        if (crash.symbols[i].place[0] && !is_system_location(crash.symbols[i].location))
            return i;
    return 0;
}

// Writes "; run with --stack 1M", an option that sets the stacks of all ranks. Without mpiexec,
// advises the variable that does the same.
const char *stack_advice(char *buffer, size_t size_bytes) {
    char size[32];
    if (crash.stack_kind == Crash::StackKind::Thread)
        return "; raise the stack size of the thread";
    size_t advised = advised_stack_bytes(crash.stack_bytes, crash.fault.used_bytes);
    size_argument(advised, size, sizeof size);
    bool by_mpiexec = settings().launcher_pid != 0 || job_settings().node_processes;
    std::snprintf(buffer, size_bytes, "; %s%s",
                  by_mpiexec ? "run with --stack " : "set THRUM_STACK=", size);
    return buffer;
}

// Prints the first line. Says "from" and not "in" if the blamed function is only a caller of the
// one that crashed.
void report_headline() {
    char what[160], place[512] = "", stack[32];
    const char *connective = " in ";
    if (crash.symbol_count > 0) {
        size_t blamed = culprit();
        symbol_text(crash.symbols[blamed], place, sizeof place);
        connective = blamed == 0 ? " in " : ", from ";
    }
    if (crash.fault.overflow)
        report("%s overflowed its %s stack%s%s%s", crash.who,
               size_text(crash.stack_bytes, stack, sizeof stack), *place ? connective : "", place,
               stack_advice(what, sizeof what));
    else
        report("%s: %s%s%s", crash.who, what_happened(what, sizeof what), *place ? connective : "",
               place);
}

// Prints one frame, and the function into which it was inlined.
void report_frame(size_t number, const Symbol &symbol) {
    char text[512];
    const bool is_inlined =
        symbol.inlined_into[0] && !std::strstr(symbol.inlined_into, "thrum::run_detail::call");
    report("  #%zu %s%s%s", number, symbol_text(symbol, text, sizeof text),
           is_inlined ? ", inlined into " : "", is_inlined ? symbol.inlined_into : "");
}

// Prints the MPI call that the thread is in, and that of the rank whose buffer it copies.
void report_calls_of_crash() {
    if (!crash.call_site)
        return;
    const Symbol *site = crash.symbols + crash.symbol_count;
    char text[512];
    report("  inside %s called at %s", name_of_function(crash.function),
           symbol_text(*site, text, sizeof text));
    if (crash.other_call_site)
        report("  while it copied from or to a buffer of rank %d, inside %s called at %s: the "
               "buffer, a count or a displacement of either rank may be wrong",
               crash.other->world_rank, name_of_function(crash.other_function),
               symbol_text(site[1], text, sizeof text));
}

bool is_main(const Symbol &symbol) {
    return !std::strcmp(symbol.function, "main");
}

// Returns whether the frame is libmpi's below the function of a rank of a run.
bool is_below_rank_function(const Symbol &symbol) {
    return !std::strncmp(symbol.function, "thrum::Run::call(", 17) ||
           std::strstr(symbol.function, "thrum::run_detail::call");
}

// Prints both ends of a long stack: where the program crashed, and how it came there from main.
void report_frames() {
    const Backtrace &frames = crash.backtrace;
    size_t head = frames.head_size();
    if (frames.period())
        head = frames.recursion_begin() + frames.period();
    size_t number = 0;
    if (crash.signal == SIGABRT) // the way abort() and std::terminate() kill is uninteresting
        number = culprit();
    for (; number < head; ++number) {
        if (is_below_rank_function(crash.symbols[number]))
            return;
        report_frame(number, crash.symbols[number]);
        if (is_main(crash.symbols[number]))
            return; // outer frames are not the program's
    }
    const Symbol *tail = crash.symbols + frames.head_size();
    size_t end = 0; // number of outermost frames up to main, without its callers
    while (end < frames.tail_size() && (end == 0 || !is_main(tail[end - 1])))
        ++end;
    size_t begin = end > tail_shown_max ? end - tail_shown_max : 0;
    size_t outer = frames.size() - frames.tail_size() + begin;
    if (frames.period())
        report("  ... %zu more frames: infinite recursion? The last %zu above repeat%s",
               outer - head, frames.period(), frames.period() == 1 ? "s" : "");
    else if (outer > head)
        report("  ... %zu more frames", outer - head);
    for (size_t i = begin; i < end; ++i, ++outer)
        report_frame(outer, tail[i]);
}

bool core_is_wanted() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 0;
}

// Ends the process by the signal itself, so that the kernel writes a core file. After a fault the
// handler returns and the instruction runs again, so the file shows the crash and not its report.
void leave_a_core() {
    // prepare_job_end() may hang on a lock that the crashed thread holds.
    limit_time_to_leave(128 + crash.signal);
    prepare_job_end();
    ::alarm(0);
    ::signal(crash.signal, SIG_DFL);
    bool repeats = crash.info->si_code > 0 && crash.signal != SIGABRT;
    if (!repeats)
        ::raise(crash.signal);
}

// Makes the report, but does not end anything.
void describe_crash(void *ucontext) {
    const auto *thread = static_cast<const RankThread *>(current_task_or_null);
    note_who(thread);
    note_stack(thread, ucontext);
    if (thread)
        note_call(*thread);
    walk_interrupted(crash.backtrace, ucontext);
    name_frames();
    report_headline();
    report_calls_of_crash();
    report_frames();
}

// Prints the whole report. Returns only if the signal is to be raised again.
void report_crash(void *ucontext) {
    describe_crash(ucontext);
    if (!core_is_wanted())
        leave(128 + crash.signal);
    leave_a_core();
}

// Returns whether the crash happened inside the allocator, whose locks may be held and whose data
// may be damaged: nothing of the process can go on.
bool is_in_allocator() {
    static constexpr const char *functions[] = {"malloc",      "calloc",        "realloc",
                                                "free",        "cfree",         "_int_",
                                                "__libc_free", "__libc_malloc", "memalign"};
    constexpr size_t frames_max = 8; // those of abort() come first
    for (size_t i = 0; i < std::min(crash.symbol_count, frames_max); ++i)
        for (const char *function : functions)
            if (!std::strncmp(crash.symbols[i].function, function, std::strlen(function)))
                return true;
    return false;
}

std::atomic<Contained *> contained_reporter{nullptr}; // one rank at a time uses `crash`

// Ends a rank of a run after its crash; the report becomes part of the result. A crash inside the
// allocator ends the process, as does one of this report itself.
void end_contained_by_crash(Contained &self, int signal, siginfo_t *info, void *ucontext) {
    constexpr useconds_t pause_us = 1000;
    Contained *nobody = nullptr;
    if (contained_reporter.load(std::memory_order_relaxed) == &self)
        abandon_contained(self, RankEnd::Signaled, 128 + signal);
    // acquire [contained-crash-1]: `crash` is not in use.
    while (!contained_reporter.compare_exchange_weak(nobody, &self, std::memory_order_acquire,
                                                     std::memory_order_relaxed)) {
        nobody = nullptr;
        ::usleep(pause_us);
    }
    keep_reports_of_caller();
    crash = {};
    crash.signal = signal;
    crash.info = info;
    describe_crash(ucontext);
    if (is_in_allocator()) {
        self.keeps_reports = false;
        self.process_id = 0; // no longer contained
        report("rank %d of a run has crashed inside the C library's allocator, whose state is "
               "unknown: the process ends",
               self.number);
        report("%s", self.text);
        leave(128 + signal);
    }
    contained_reporter.store(nullptr, std::memory_order_release); // release [contained-crash-1]
    abandon_contained(self, RankEnd::Signaled, 128 + signal);
}

// The signal handler. Also entered when the report itself crashes: then one line without a
// backtrace follows, and a third crash ends the process silently.
void on_crash(int signal, siginfo_t *info, void *ucontext) {
    if (::getpid() != job_pid) { // a forked child's crash is its own affair
        ::signal(signal, SIG_DFL);
        ::raise(signal);
        return;
    }
    if ((signal == SIGSEGV || signal == SIGBUS) && continue_handle_read(ucontext))
        return;
    if (Contained *self = contained_caller())
        return end_contained_by_crash(*self, signal, info, ucontext);
    if (claim_final_report() == ReportClaim::Nested) {
        static volatile sig_atomic_t times = 0;
        times = times + 1;
        if (times > 1)
            ::_exit(128 + signal);
        // The stack or the heap is so broken that the report itself crashes.
        crash.symbol_count = 0;
        if (crash.signal)
            report_headline();
        report("  (signal %d while this was being reported: no backtrace)", signal);
        leave(128 + (crash.signal ? crash.signal : signal));
    }
    crash.signal = signal;
    crash.info = info;
    report_crash(ucontext);
}

// Returns whether a handler is a function of libgfortran.
bool is_of_libgfortran(const struct sigaction &action) {
    Dl_info info;
    return !(action.sa_flags & SA_SIGINFO) && action.sa_handler != SIG_DFL &&
           action.sa_handler != SIG_IGN &&
           ::dladdr(reinterpret_cast<void *>(action.sa_handler), &info) != 0 &&
           std::strstr(info.dli_fname, "libgfortran.so");
}

} // namespace

// The stack's bounds are known only for threads that have been here, so they tell a second call.
void prepare_thread_for_crashes() {
    stack_t present{};
    if (thread_stack().high != 0 || ::sigaltstack(nullptr, &present) != 0)
        return;
    find_thread_stack();
    // A sanitizer's own stack is too small for the report of a library that it instruments.
    if ((present.ss_flags & SS_DISABLE) || present.ss_size < signal_stack_bytes)
        signal_stack.install();
}

// SA_ONSTACK: the fault may be an overflow of the thread's own stack.
static struct sigaction crash_action() {
    struct sigaction action{};
    action.sa_sigaction = on_crash;
    // NODEFER: a crash of the report itself returns here instead of killing the process silently.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    return action;
}

void install_crash_handlers() {
    job_pid = ::getpid();
    const struct sigaction action = crash_action();
    for (int signal : crash_signals)
        ::sigaction(signal, &action, nullptr);
}

// Only handlers of libgfortran are replaced; the program's own stay.
void take_crashes_from_fortran() {
    const struct sigaction action = crash_action();
    struct sigaction present{};
    for (int signal : crash_signals)
        if (::sigaction(signal, nullptr, &present) == 0 && is_of_libgfortran(present))
            ::sigaction(signal, &action, nullptr);
}

} // namespace thrum
