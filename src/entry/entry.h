// The path of every MPI call from C into its implementation:
//
//   PMPI_Send -> enter<mpi::send> -> bind the communicator, check each argument -> mpi::send
//                                 -> on an Error: raise(), which calls the error handler
#pragma once
#include "base/tools.h"
#include "comm/errhandler.h"
#include "entry/argument.h"
#include "entry/call_kinds.h"
#include "entry/function.h"

#define MPI_WEAK_ALIAS(name)                                                                       \
    extern "C" [[gnu::visibility("default")]] decltype(P##name) name                               \
        __attribute__((weak, alias("P" #name)))
// Identifies the called function and the place of the call in the program, for reports.
#define CALL(name)                                                                                 \
    ::thrum::CallId {                                                                              \
        ::thrum::Function::name, __builtin_return_address(0)                                       \
    }

namespace thrum {

// A call of an MPI function, for reports: which function, and the return address in the program.
struct CallId {
    Function function;
    const void *call_site;
};

const char *function_name(Function function); // "MPI_Send"; "" if the number is unknown
extern const char *const function_names[];    // by number; for debuggers

// Calls the error handler of `culprit` with `code`. Returns if the handler does.
[[gnu::cold]] void call_errhandler(const Culprit &culprit, CallId call, int code) MAY_SUSPEND;

// Passes `error` to the error handler of the scope's object, and returns what the MPI call returns.
[[gnu::cold]] int raise(Scope scope, CallId call, Error error) MAY_SUSPEND;
// For the functions of beside.api, which return no errors: reports rank, call, error and place
// ("rank 3: acl_send: dest is 7, ... (at ring.c:12)") and ends the job with the error's class as
// exit code.
[[noreturn, gnu::cold]] void end_with_error(CallId call, Error error);
// Decides about a call of a process that asks: returns an error if it is made
// outside MPI_Init ... MPI_Finalize while no session lives, or by a thread that may not make it.
[[gnu::cold]] Error admit(RankThread &self) MAY_SUSPEND;
// Looks at a call that is watched (comm/process.h): the observer notes its begin. Returns its call
// site: the line of the Python program that makes it, if one does. `outer` is the function inside
// which it is made; 0: none.
[[gnu::cold]] const void *look_at_call(RankThread &self, CallId call, uint16_t outer) MAY_SUSPEND;

namespace detail {

// Delivers pending events to the rank's tools (mpi/tool_event.cc), which may call any MPI function.
[[gnu::cold]] void tell_tools(RankThread &self) MAY_SUSPEND;
// Does what follows a call, before it returns: tells tools, notes what the rank has learned
// (check/causality.h), and with a seed may let other ranks run. `outer` is the function inside
// which the call was made; 0: none.
void follow_up(RankThread &self, uint16_t outer) MAY_SUSPEND;

// Returns whether the observer skips a watched call of a brief function: it has been timed often
// enough, and nobody else asks for it.
inline bool skip_call(RankThread &self, CallId call, uint16_t outer) {
    return self.rank->record && outer == 0 &&
           observe::skip_call(self.observed, static_cast<uint16_t>(call.function), call.call_site);
}

// Returns the same object, of which the compiler does not know that it is the same: otherwise it
// keeps the addresses of its members on the stack during the call instead of computing them again.
inline RankThread &forget_origin(RankThread &thread) {
    RankThread *same = &thread;
    asm("" : "+r"(same));
    return *same;
}

// The body of all entry points: `implementation` is mpi::send, for example, and the arguments are
// the types of argument.h. Inlined into each entry point, so that checks fold into a few compares.
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline int enter(RankThread &self, Admission admission, CallId call,
                                        Arguments... argument) {
    assert_may_suspend(); // the program calls
    WatchedCall watched;
    // Only for reports: a plain store each. A nested call (by a tool or an error handler) restores
    // the old values.
    const unsigned outer = self.call.function.load(std::memory_order_relaxed);
    const void *outer_site = self.call.call_site.load(std::memory_order_relaxed);
    self.call.function.store(static_cast<uint16_t>(call.function), std::memory_order_relaxed);
    self.call.call_site.store(call.call_site, std::memory_order_relaxed);

    Scope scope;
    Error error;
    const bool is_skipped = kind_of(call.function) == observe::CallKind::Brief &&
                            admission == Admission::Watched &&
                            skip_call(self, call, static_cast<uint16_t>(outer));
    if (admission != Admission::Free && !is_skipped) [[unlikely]] {
        call.call_site = look_at_call(self, call, static_cast<uint16_t>(outer));
        if (admission == Admission::Asked)
            error = admit(self);
    }
    // Binds the communicator, window, file or session first, wherever it is among the arguments:
    // the others are checked against it, and its error handler reports the call.
    [[maybe_unused]] auto bind = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.bind(scope); }) {
            a.bind(scope);
            error = a.check(scope);
        }
        return !error;
    };
    [[maybe_unused]] auto check = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (!requires { a.bind(scope); })
            error = a.check(scope);
        return !error;
    };
    // An error handler passed for a new object reports all errors of the call.
    [[maybe_unused]] auto bind_early = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.bind_early(scope); })
            a.bind_early(scope);
    };
    (bind_early(argument), ...);
    if (!error && (bind(argument) && ...))
        (void)(check(argument) && ...);
    if (!error) [[likely]]
        error = implementation(argument.value()...);
    // Objects that the program has made or freed, before an error handler may do the same.
    [[maybe_unused]] auto note = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.note(self, false); })
            a.note(self, static_cast<bool>(error));
    };
    (note(argument), ...);
    int result = MPI_SUCCESS;
    if (error) [[unlikely]]
        result = raise(scope, call, error);
    if (is_skipped) [[unlikely]] {
        observe::end_skipped_call(self.observed, *self.rank->record);
    } else if (has_follow_ups()) [[unlikely]] {
        // A copy: an argument whose address nobody takes stays in its register.
        [[maybe_unused]] auto examine = [](auto a) MAY_SUSPEND {
            if constexpr (requires { a.examine(); })
                a.examine();
        };
        if constexpr (!(std::is_same_v<Arguments, arg::NewHandle<MPI_Request>> || ...))
            if (has_buffer_checks() && result == MPI_SUCCESS &&
                !scope.win) // those of windows: rma/access_checks.h
                (examine(argument), ...);
        follow_up(self, static_cast<uint16_t>(outer));
    }
    Call &ended = forget_origin(self).call;
    ended.function.store(static_cast<uint16_t>(outer), std::memory_order_relaxed);
    ended.call_site.store(outer_site, std::memory_order_relaxed);
    return result;
}

} // namespace detail

// Enters a call that needs MPI to be initialised and not finalized, or a session.
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline int enter(CallId call, Arguments... argument) {
    RankThread &self = current_rank_thread();
    const Admission admission = self.rank->process->admission.load(std::memory_order_relaxed);
    return detail::enter<implementation>(self, admission, call, argument...);
}

// Enters a call that may be made at any time (section 11.4.1).
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline int enter_anytime(CallId call, Arguments... argument) {
    assert_may_suspend(); // the program calls
    RankThread &self = current_rank_thread();
    const Admission admission = looks_at_all_calls() ? Admission::Watched : Admission::Free;
    return detail::enter<implementation>(self, admission, call, argument...);
}

// Enters a call of the tools interface: no error handler is called (section 15.3.10).
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline int enter_tool(CallId call, Arguments... argument) {
    assert_may_suspend(); // the program calls
    RankThread &self = current_rank_thread();
    WatchedCall watched;
    uint16_t outer = self.call.function.load(std::memory_order_relaxed);
    const void *outer_site = self.call.call_site.load(std::memory_order_relaxed);
    self.call.function.store(static_cast<uint16_t>(call.function), std::memory_order_relaxed);
    self.call.call_site.store(call.call_site, std::memory_order_relaxed);
    const Error error = implementation(argument...);
    self.call.function.store(outer, std::memory_order_relaxed);
    self.call.call_site.store(outer_site, std::memory_order_relaxed);
    return error.code();
}

} // namespace thrum
