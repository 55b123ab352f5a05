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

// Returns what is asked at the begin of a call of this thread: Admission::Free in most programs.
using Admit = Admission(const RankThread &self);

inline Admission admit_in_model(const RankThread &self) {
    return self.rank->process->admission.load(std::memory_order_relaxed);
}

inline Admission admit_anytime(const RankThread &) {
    return looks_at_all_calls() ? Admission::Watched : Admission::Free;
}

template <class Argument>
[[gnu::always_inline]] inline bool is_valid(const Argument &argument, const Scope &scope) {
    if constexpr (requires { argument.is_valid(scope); })
        return argument.is_valid(scope);
    return true;
}

// Binds the communicator, window, file or session first, wherever it is among the arguments: the
// others are checked against it, and its error handler reports the call. An error handler passed
// for a new object reports all errors of the call. Returns whether all arguments are valid. Asks
// judge(argument) about an argument that is not: it may still accept it.
template <class Judge, class... Arguments>
[[gnu::always_inline]] inline bool check(Scope &scope, Judge judge, const Arguments &...argument) {
    [[maybe_unused]] auto bind_early = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.bind_early(scope); })
            a.bind_early(scope);
    };
    [[maybe_unused]] auto bind = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.bind(scope); }) {
            a.bind(scope);
            return is_valid(a, scope) || judge(a);
        }
        return true;
    };
    [[maybe_unused]] auto look = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (!requires { a.bind(scope); })
            return is_valid(a, scope) || judge(a);
        return true;
    };
    (bind_early(argument), ...);
    return (bind(argument) && ...) && (look(argument) && ...);
}

// Notes objects that the program has made or freed, before an error handler may do the same.
template <class... Arguments>
[[gnu::always_inline]] inline void note(const RankThread &self, Error error,
                                        const Arguments &...argument) {
    [[maybe_unused]] auto note_one = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.note(self, false); })
            a.note(self, static_cast<bool>(error));
    };
    (note_one(argument), ...);
}

// Makes any call, also one that something watches, or that is made inside another call.
// `implementation` is mpi::send, for example, and the arguments are the types of argument.h.
template <auto implementation, Admit *admit_call, class... Arguments>
[[gnu::always_inline]] inline int enter(CallId call, Arguments... argument) {
    assert_may_suspend(); // the program calls
    RankThread &self = current_rank_thread();
    const Admission admission = admit_call(self);
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
    auto judge = [&](const auto &a) __attribute__((always_inline)) {
        if constexpr (requires { a.complain(scope); })
            error = a.complain(scope);
        return !error;
    };
    if (!error && check(scope, judge, argument...)) [[likely]]
        error = implementation(argument.value()...);
    note(self, error, argument...);
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

// Returns the calling thread if its call is a usual one: nothing watches it, and it is not made
// inside another call. Otherwise returns nullptr.
template <Admit *admit_call>
[[gnu::always_inline]] inline RankThread *find_usual_caller() {
    auto *self = static_cast<RankThread *>(find_current_task());
    return self && admit_call(*self) == Admission::Free && !has_follow_ups() &&
                   self->call.function.load(std::memory_order_relaxed) == 0
               ? self
               : nullptr;
}

// Makes a usual call. Does nothing and returns false if an argument is not valid. Calls nothing but
// the implementation, so that the entry point saves few registers.
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline bool enter_usually(RankThread &self, int &result, CallId call,
                                                 Arguments... argument) {
    assert_may_suspend(); // the program calls
    Scope scope;
    auto refuse = [](const auto &) __attribute__((always_inline)) {
        return false;
    };
    if (!check(scope, refuse, argument...)) [[unlikely]]
        return false;
    Call &begun = forget_origin(self).call;
    begun.function.store(static_cast<uint16_t>(call.function), std::memory_order_relaxed);
    begun.call_site.store(call.call_site, std::memory_order_relaxed);
    const Error error = implementation(argument.value()...);
    note(self, error, argument...);
    Call &ended = forget_origin(self).call;
    result = MPI_SUCCESS;
    if (error) [[unlikely]] {
        call.call_site = ended.call_site.load(std::memory_order_relaxed); // kept nowhere else
        result = raise(scope, call, error);
    }
    ended.function.store(0, std::memory_order_relaxed);
    ended.call_site.store(nullptr, std::memory_order_relaxed);
    return true;
}

} // namespace detail

// Enters a call that needs MPI to be initialised and not finalized, or a session.
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline int enter(CallId call, Arguments... argument) {
    return detail::enter<implementation, detail::admit_in_model>(call, argument...);
}

// Enters a call that may be made at any time (section 11.4.1).
template <auto implementation, class... Arguments>
[[gnu::always_inline]] inline int enter_anytime(CallId call, Arguments... argument) {
    return detail::enter<implementation, detail::admit_anytime>(call, argument...);
}

namespace detail {

inline int as_it_is(int result) {
    return result;
}

} // namespace detail

// Do the same, and return from the entry point; `convert` makes its result of an error code. Usual
// calls need fewer instructions: all others construct their arguments again, out of line. If both
// shared them, they would be in memory and not in registers; therefore macros.
#define ENTER_BY(convert, admit, implementation, id, ...)                                          \
    ::thrum::RankThread *entry_self = ::thrum::detail::find_usual_caller<admit>();                 \
    int entry_result;                                                                              \
    if (entry_self && ::thrum::detail::enter_usually<implementation>(                              \
                          *entry_self, entry_result, CALL(id) __VA_OPT__(, ) __VA_ARGS__))         \
        return convert(entry_result);                                                              \
    const void *entry_site = __builtin_return_address(0);                                          \
    auto enter_unusually = [=]() __attribute__((noinline)) {                                       \
        const ::thrum::CallId call{::thrum::Function::id, entry_site};                             \
        return ::thrum::detail::enter<implementation, admit>(call __VA_OPT__(, ) __VA_ARGS__);     \
    };                                                                                             \
    return convert(enter_unusually())
#define ENTER_AND(convert, ...) ENTER_BY(convert, ::thrum::detail::admit_in_model, __VA_ARGS__)
#define ENTER_ANYTIME_AND(convert, ...)                                                            \
    ENTER_BY(convert, ::thrum::detail::admit_anytime, __VA_ARGS__)
#define ENTER(...) ENTER_AND(::thrum::detail::as_it_is, __VA_ARGS__)
#define ENTER_ANYTIME(...) ENTER_ANYTIME_AND(::thrum::detail::as_it_is, __VA_ARGS__)

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
