// The end of a rank: exit(), _exit(), abort() and the handlers that run before it.
//
// Each rank has a list of handlers of its own instead of the C library's. Walking that list for
// every rank would cost O(ranks squared), and would run one rank's handlers at the end of another.
// Destructors of static objects register there, too (__cxa_atexit), with the object file that they
// belong to, so that dlclose() can run those of one library (__cxa_finalize).
//
// exit() leads to rank_exit(), which runs the handlers and then calls end_rank() (rank/job.cc).
#include "libc/exit.h"

#include "base/check.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/signals.h"
#include "libc/stdio.h"
#include "plugin/plugin.h"
#include "rank/contained.h"
#include "rank/job.h"
#include "rank/job_end.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

constexpr int abort_exit_code = 134;

// A registered handler.
struct ExitHandler {
    enum class Kind : unsigned char { Removed, AtExit, OnExit };
    Kind kind;
    void *function;
    void *argument;
    void *object; // __dso_handle of the object file that registered it, or nullptr
};

// The handlers of a rank, the newest last, and how far its end is. Guarded by LibcState::lock.
struct ExitState {
    std::vector<ExitHandler> handlers;
    std::vector<void (*)()> quick_handlers; // of at_quick_exit()
    bool destructors_run = false;           // those of the image; a handler may call exit() again
    RankThread *exiting = nullptr;          // the thread that is inside exit()
};

LIBC_STATE(ExitState, exit_of)

using Kind = ExitHandler::Kind;

int add_handler(const ExitHandler &handler) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    exit_of(state).handlers.push_back(handler);
    return 0;
}

int override_cxa_atexit(void (*function)(void *), void *argument, void *object) {
    return add_handler({Kind::AtExit, reinterpret_cast<void *>(function), argument, object});
}

int override_atexit(void (*function)()) {
    return add_handler({Kind::AtExit, reinterpret_cast<void *>(function), nullptr, nullptr});
}

int override_on_exit(void (*function)(int, void *), void *argument) {
    return add_handler({Kind::OnExit, reinterpret_cast<void *>(function), argument, nullptr});
}

int override_at_quick_exit(void (*function)()) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    exit_of(state).quick_handlers.push_back(function);
    return 0;
}

// Calls the handler, without the lock: it is code of the program.
void run_handler(const ExitHandler &handler, int code) {
    if (handler.kind == Kind::AtExit)
        reinterpret_cast<void (*)(void *)>(handler.function)(handler.argument);
    else if (handler.kind == Kind::OnExit)
        reinterpret_cast<void (*)(int, void *)>(handler.function)(code, handler.argument);
}

// Takes the newest handler off the list; returns false if there is none. One at a time, because a
// handler may register others, which run next.
bool take_newest(LibcState &state, ExitHandler &handler) {
    StateGuard guard(state.lock);
    if (exit_of(state).handlers.empty())
        return false;
    handler = exit_of(state).handlers.back();
    exit_of(state).handlers.pop_back();
    return true;
}

// Takes the newest handler of `object` (nullptr: of any) out of the list; returns false if there is
// none. Marks the entry as removed, which run_handler() skips.
bool take_newest_of(LibcState &state, void *object, ExitHandler &handler) {
    StateGuard guard(state.lock);
    auto &handlers = exit_of(state).handlers;
    for (size_t i = handlers.size(); i-- > 0;) {
        if (handlers[i].kind == Kind::Removed || (object && handlers[i].object != object))
            continue;
        handler = handlers[i];
        handlers[i].kind = Kind::Removed;
        return true;
    }
    return false;
}

// Runs the handlers of an object file, which is about to be unloaded.
void override_cxa_finalize(void *object) {
    LibcState &state = current_libc();
    ExitHandler handler;
    while (take_newest_of(state, object, handler))
        run_handler(handler, 0);
}

} // namespace

// glibc exports __call_tls_dtors without declaring it.
void run_thread_local_destructors() {
    static auto *const run = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "__call_tls_dtors"));
    if (run)
        run();
}

namespace {

// Lets one thread of the rank end it; a second one that calls exit() waits for the end and does not
// return. A handler that calls exit() again may go on: the rest of the list runs, with the new
// code.
void claim_exit(LibcState &state) MAY_SUSPEND {
    RankThread &self = current_rank_thread();
    {
        StateGuard guard(state.lock);
        if (!exit_of(state).exiting)
            exit_of(state).exiting = &self;
        if (exit_of(state).exiting == &self)
            return;
    }
    for (;;) {
        prepare_to_suspend(self);
        suspend();
    }
}

// Runs what exit() runs before the end itself. C++ asks for thread-local destructors before those
// of static objects.
void run_exit_handlers(LibcState &state, int code) {
    run_thread_local_destructors();
    ExitHandler handler;
    while (take_newest(state, handler))
        run_handler(handler, code);
}

[[noreturn]] void override_exit(int code) {
    rank_exit(code);
}

[[noreturn]] void override_exit_now(int code) {
    rank_exit_now(code);
}

[[noreturn]] void override_quick_exit(int code) {
    LibcState &state = current_libc();
    for (;;) {
        void (*handler)() = nullptr;
        {
            StateGuard guard(state.lock);
            if (exit_of(state).quick_handlers.empty())
                break;
            handler = exit_of(state).quick_handlers.back();
            exit_of(state).quick_handlers.pop_back();
        }
        handler();
    }
    rank_exit_now(code);
}

[[noreturn]] void override_abort() {
    abort_rank();
}

// Ends a rank of a run by a failed assertion.
[[noreturn]] void fail_assertion(Contained &self, const char *assertion, const char *file,
                                 unsigned line, const char *function) {
    char text[1024];
    std::snprintf(text, sizeof text, "%s:%u: %s%sAssertion `%s' failed.", file, line,
                  function ? function : "", function ? ": " : "", assertion);
    end_contained(self, RankEnd::Asserted, abort_exit_code, text);
}

// Reports a failed assertion with its rank. What the rank has printed is written first, so that the
// message is at its end.
[[noreturn]] void override_assert_fail(const char *assertion, const char *file, unsigned line,
                                       const char *function) MAY_SUSPEND {
    if (Contained *self = contained_caller())
        fail_assertion(*self, assertion, file, line, function);
    flush_stdio(current_libc());
    report("rank %d: %s: %s:%u: %s%sAssertion `%s' failed.", current_rank().world_rank,
           rank_program_name(), file, line, function ? function : "", function ? ": " : "",
           assertion);
    abort_rank();
}

[[noreturn]] void override_assert_perror_fail(int error, const char *file, unsigned line,
                                              const char *function) MAY_SUSPEND {
    override_assert_fail(std::strerror(error), file, line, function);
}

[[noreturn]] void override_assert(const char *assertion, const char *file, int line) MAY_SUSPEND {
    override_assert_fail(assertion, file, static_cast<unsigned>(line), nullptr);
}

[[noreturn]] void override_stack_check_fail() {
    keep_reports_of_caller();
    report("rank %d: stack smashing detected", current_rank().world_rank);
    abort_rank();
}

[[noreturn]] void override_fortify_fail() {
    keep_reports_of_caller();
    report("rank %d: buffer overflow detected", current_rank().world_rank);
    abort_rank();
}

const FunctionOverride table[] = {
    OVERRIDE("exit", override_exit),
    OVERRIDE("_exit", override_exit_now),
    OVERRIDE("_Exit", override_exit_now),
    OVERRIDE("quick_exit", override_quick_exit),
    OVERRIDE("abort", override_abort),
    OVERRIDE("atexit", override_atexit),
    OVERRIDE("on_exit", override_on_exit),
    OVERRIDE("at_quick_exit", override_at_quick_exit),
    OVERRIDE("__cxa_at_quick_exit", override_at_quick_exit),
    OVERRIDE("__cxa_atexit", override_cxa_atexit),
    OVERRIDE("__cxa_finalize", override_cxa_finalize),
    OVERRIDE("__assert_fail", override_assert_fail),
    OVERRIDE("__assert_perror_fail", override_assert_perror_fail),
    OVERRIDE("__assert", override_assert),
    OVERRIDE("__stack_chk_fail", override_stack_check_fail),
    OVERRIDE("__chk_fail", override_fortify_fail),
};

} // namespace

LIBC_FUNCTIONS(table);

// Ends a rank of a run that shares the C-library state of its maker: handlers and streams are not
// the rank's, but the objects on its stack are.
static void end_sharing_rank(int code) {
    Contained *self = contained_caller();
    if (!self || self->has_own_process_state)
        return;
    code &= 0xff;
    end_contained(*self, code ? RankEnd::Exited : RankEnd::Returned, code, exit_text(code).text);
}

// Plug-ins are destroyed before the program that opened them. stdio comes last, because destructors
// print.
void rank_exit(int code) MAY_SUSPEND {
    end_sharing_rank(code);
    LibcState &state = current_libc();
    claim_exit(state);
    run_exit_handlers(state, code);
    if (!exit_of(state).destructors_run) {
        exit_of(state).destructors_run = true;
        run_plugin_destructors(current_rank().image);
        run_destructors(current_rank().image);
    }
    flush_stdio(state);
    if (in_forked_child())
        ::_exit(code);
    end_rank(code & 0xff);
}

// What the rank has written with write(2) would be in the kernel already, so its unfinished lines
// are written. Buffers of FILEs are lost, as in a process.
void rank_exit_now(int code) MAY_SUSPEND {
    end_sharing_rank(code);
    if (in_forked_child())
        ::_exit(code);
    flush_unfinished_lines(current_libc());
    end_rank(code & 0xff);
}

// The order is that of a process: the rank's handler first, and if it returns, the default action.
// A process's crash handler then reports and ends the job. Without one, this does.
void abort_rank() {
    if (in_forked_child())
        std::abort();
    if (keep_reports_of_caller()) { // of a run, which gets the report; no handler of the program
        ::raise(SIGABRT);
        end_job(abort_exit_code);
    }
    // A handler of the program comes first, as for a process; then the crash report.
    RankThread &self = current_rank_thread();
    siginfo_t info = {};
    info.si_signo = SIGABRT;
    info.si_code = SI_TKILL;
    SignalAction own = action_of(self, SIGABRT, true);
    if (own.is_function())
        run_action(self, own, info, nullptr);
    {
        SignalState &signals = state_of(rank_signals_of(current_libc()));
        StateGuard guard(signals.lock);
        signals.actions[SIGABRT] = {}; // it has returned, and does not run again
    }
    // The process's own handler writes the crash report, of this very stack.
    struct sigaction action = {};
    if (sigaction(SIGABRT, nullptr, &action) == 0 && action.sa_handler != SIG_DFL &&
        action.sa_handler != SIG_IGN)
        ::raise(SIGABRT);
    claim_end();
    report("rank %d called abort()", current_rank().world_rank);
    end_job(abort_exit_code);
}

} // namespace thrum
