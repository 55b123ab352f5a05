// What happens when an MPI call fails (MPI 5.0 section 9.3): the error handler of the object is
// called. If it is fatal, one line reports rank, error and place, and the job ends.
//
// Which object is responsible is decided in this order: an error handler passed for a new object,
// the objects among the arguments, what the implementation has blamed (comm/blame.h), the default
// file error handler, MPI_COMM_SELF.
#include "entry/entry.h"

#include "base/clock.h"
#include "bsp/functions.h"
#include "check/causality.h"
#include "check/queued_findings.h"
#include "comm/errhandler.h"
#include "comm/error_codes.h"
#include "entry/thread_level.h"
#include "fiber/choice.h"
#include "fiber/yield_by_choice.h"
#include "inspect/held_ranks.h"
#include "inspect/python_interpreter.h"
#include "inspect/symbols.h"
#include "io/file_defaults.h"
#include "rank/contained.h"
#include "rank/job_end.h"
#include "rank/status_page.h"
#include "wireup/wireup.h"

#include <cstdio>
#include <cstring>
#include <iterator>
#include <unistd.h>

namespace thrum {

// The names of all functions by number: MPI's, then those of supersteps.
const char *const function_names[] = {"",
#include "entry/function_names.inc"
#define BSP_NAME(name) #name,
                                      THRUM_BSP_FUNCTIONS(BSP_NAME)
#undef BSP_NAME
};

#define BSP_ONE(name) +1
const unsigned bsp::first_function = std::size(function_names) - (0 THRUM_BSP_FUNCTIONS(BSP_ONE));
#undef BSP_ONE

namespace {

// Waits if the error is only the consequence of a lost peer. The launcher knows more about the
// cause, reports it, and is about to end this process, too.
void let_launcher_speak(int code) {
    constexpr unsigned patience_s = 4;
    if (code == MPI_ERR_PROC_ABORTED && has_other_processes())
        sleep_through(patience_s);
}

// Writes "a.c:6 in main", or with calls of other ranks elsewhere "a.c:6 in main; rank 1: a.c:4 in
// main".
const char *describe_places(CallId call, const OtherCalls &others, char *buffer,
                            size_t size_bytes) {
    describe_call_site(call.call_site, buffer, size_bytes);
    const size_t own_bytes = std::strlen(buffer);
    size_t used_bytes = own_bytes;
    for (int i = 0; i < others.count && used_bytes < size_bytes; ++i) {
        char place[400];
        describe_call_site(others.calls[i].call_site, place, sizeof place);
        if (std::strlen(place) == own_bytes && !std::strncmp(place, buffer, own_bytes))
            continue; // the same line
        used_bytes += static_cast<size_t>(std::snprintf(
            buffer + used_bytes, size_bytes - used_bytes, "; %s: %s", others.calls[i].who, place));
    }
    return buffer;
}

// Reports one line and ends the job. If several ranks fail, only the first reports: claim_end()
// keeps the others. `detail` is "" if the error has no sentence.
[[noreturn, gnu::cold]] void end_with_error(CallId call, int code, const char *detail) {
    Process &process = current_process();
    const OtherCalls others = other_calls(); // before another error is recorded
    int error_class = code;
    std::string text;
    if (find_error_class(process, code, error_class) || find_error_text(process, code, text))
        text = "unknown error code";
    const char *class_name = error_class_name(error_class);
    char code_text[64];
    if (class_name && error_class == code)
        std::snprintf(code_text, sizeof code_text, "%s", class_name);
    else
        std::snprintf(code_text, sizeof code_text, "error code %d", code);
    const char *sentence = *detail      ? detail
                           : class_name ? error_class_text(error_class)
                                        : text.c_str();
    char places[1024];
    let_launcher_speak(code);
    claim_end();
    if (!contained_caller()) // ends alone
        announce_end_of_job();
    report("rank %d: %s: %s: %s (at %s)", process.world_rank(), function_name(call.function),
           code_text, sentence, describe_places(call, others, places, sizeof places));
    // The exit code is the error class if that is a valid exit code.
    end_job(error_class > 0 && error_class < 126 ? error_class : 1);
}

// Calls a function of the program with the address of the handle, as the standard wants it.
template <class Function, class Handle>
void call_user_function(const Errhandler &handler, void *handle, int *code) MAY_SUSPEND {
    auto typed = static_cast<Handle>(handle);
    reinterpret_cast<Function *>(handler.function)(&typed, code);
}

// Section 9.3: an error without an object belongs to MPI_COMM_SELF. Programs written before MPI 4
// set only the handler of MPI_COMM_WORLD, so that one is used unless the program has set the other.
Culprit culprit_without_object(Process &process) {
    return culprit_of(process.has_set_self_handler ? *process.self : *process.world);
}

// Calls the error handler and returns what the call must return: a function of the program may have
// changed `code`. `detail` describes the error; it is passed along because the handler's own MPI
// calls may overwrite the record.
int call_errhandler_with(Culprit culprit, CallId call, int code, const char *detail) MAY_SUSPEND {
    Process &process = current_process();
    if (process.is_closed.load(
            std::memory_order_relaxed)) // a destructor of an unwound rank: its call does nothing
        return code;
    // Outside the World Model the initial error handler is called.
    if (!culprit.handler && process.valid_self)
        culprit = culprit_without_object(process);
    Errhandler &handler = culprit.handler ? *culprit.handler : *process.initial_errhandler;
    if (handler.kind == Errhandler::Kind::Return)
        return code;
    if (handler.kind < Errhandler::Kind::Return)
        end_with_error(call, code, detail);
    retain(handler); // the function may install another one
    if (handler.foreign)
        handler.foreign(handler.function, culprit.handle, &code);
    else if (handler.kind == Errhandler::Kind::Comm)
        call_user_function<MPI_Comm_errhandler_function, MPI_Comm>(handler, culprit.handle, &code);
    else if (handler.kind == Errhandler::Kind::Win)
        call_user_function<MPI_Win_errhandler_function, MPI_Win>(handler, culprit.handle, &code);
    else if (handler.kind == Errhandler::Kind::File)
        call_user_function<MPI_File_errhandler_function, MPI_File>(handler, culprit.handle, &code);
    else
        call_user_function<MPI_Session_errhandler_function, MPI_Session>(handler, culprit.handle,
                                                                         &code);
    release(handler);
    return code;
}

// Returns the object among a call's arguments whose error handler reports it. A passed error
// handler of the wrong kind does not count: the call fails because of it.
Culprit named_culprit(const Scope &scope, Function function) {
    const bool makes_session = function == Function::Session_init;
    if (Errhandler *given = scope.of_new_object;
        given &&
        (given->kind <= Errhandler::Kind::Return ||
         given->kind == (makes_session ? Errhandler::Kind::Session : Errhandler::Kind::Comm)))
        return {given, makes_session ? static_cast<void *>(MPI_SESSION_NULL)
                                     : static_cast<void *>(MPI_COMM_NULL)};
    if (scope.file)
        return culprit_of(*scope.file);
    if (scope.comm && function != Function::File_open) // section 14.2.1
        return culprit_of(*scope.comm);
    if (scope.win)
        return culprit_of(*scope.win);
    if (scope.session)
        return {scope.session->errhandler, scope.session};
    return {};
}

// Returns whether errors without a valid file handle go to the default file error handler (section
// 14.7).
bool is_file_function(Function function) {
    return std::strncmp(function_name(function), "MPI_File_", 9) == 0 ||
           function == Function::Register_datarep;
}

} // namespace

const char *function_name(Function function) {
    auto index = static_cast<size_t>(function);
    return index < std::size(function_names) ? function_names[index] : "";
}

void call_errhandler(const Culprit &culprit, CallId call, int code) {
    (void)call_errhandler_with(culprit, call, code, "");
}

// The object among the call's arguments is responsible; if there is none, the one that the
// implementation has blamed. The sentence is copied first: the handler may call MPI, which
// overwrites it. `blame` holds references, since the handler may free the object.
int raise(Scope scope, CallId call, Error error) {
    char detail[512];
    std::snprintf(detail, sizeof detail, "%s", error_detail(error.code()));
    Blame blame = take_blame(error);
    Culprit culprit = named_culprit(scope, call.function);
    if (!culprit.handler)
        culprit = blame.culprit;
    Process &process = current_process();
    if (!culprit.handler && is_unfinished(process) && is_file_function(call.function))
        culprit = default_file_culprit(process);
    // The object may be freed during this call; the blame keeps it alive.
    const int returned = call_errhandler_with(culprit, call, blame.code, detail);
    const bool changed = returned != blame.code; // for MPI_ERR_IN_STATUS the call returns that
    forget(blame);
    return changed ? returned : error.code();
}

// Functions of other interfaces have no error handlers and no error classes of their own in the
// line.
void end_with_error(CallId call, Error error) {
    char place[512];
    let_launcher_speak(error.code());
    claim_end();
    if (!contained_caller()) // ends alone
        announce_end_of_job();
    report("rank %d: %s: %s (at %s)", current_process().world_rank(), function_name(call.function),
           error_detail(error.code()), describe_call_site(call.call_site, place, sizeof place));
    end_job(error.code() > 0 && error.code() < 126 ? error.code() : 1);
}

[[gnu::cold, gnu::noinline]] static void tell_others(RankThread &self) MAY_SUSPEND;

// Returns whether a tool of the rank has asked for counts or events.
static bool has_recorder(const RankThread &self) {
    return self.rank->recorder.load(std::memory_order_relaxed) != nullptr; // nothing of it is read
}

static void tell_others(RankThread &self) {
    if (has_recorder(self))
        detail::tell_tools(self);
    if (tracks_causality())
        note_call_end(self);
    if (findings_are_queued.load(std::memory_order_relaxed))
        report_queued_findings();
}

// A call inside another one (of an error handler, of an operation of the program) lets nobody run:
// the outer one may rely on that.
void detail::follow_up(RankThread &self, uint16_t outer) {
    if (observe::RankRecord *record = self.rank->record; record && outer == 0)
        observe::end_call(self.observed, *record);
    if (has_recorder(self) || tracks_causality() ||
        findings_are_queued.load(std::memory_order_relaxed))
        tell_others(self);
    if (outer == 0 && has_seed())
        yield_by_choice();
}

const void *look_at_call(RankThread &self, CallId call, uint16_t outer) {
    call.call_site = python_call_site(call.call_site);
    self.call.call_site.store(call.call_site, std::memory_order_relaxed);
    if (observe::RankRecord *record = self.rank->record; record && outer == 0) {
        observe::begin_call(self.observed, *record, static_cast<uint16_t>(call.function),
                            call.call_site, kind_of(call.function));
        if (observe::holds_ranks())
            hold_at_call(self);
    }
    return call.call_site;
}

// Distinguishes the three states in which MPI may not be called, as the remedy differs.
Error admit(RankThread &self) {
    const Process &process = *self.rank->process;
    if (process.is_closed.load(std::memory_order_relaxed)) {
        end_if_condemned(self);
        return fail(MPI_ERR_OTHER, "called by a rank that is being ended, as its run has failed");
    }
    if (is_unfinished(process))
        return check_thread(self);
    if (process.state.load(std::memory_order_relaxed) == ProcessState::Finalized)
        return fail(MPI_ERR_OTHER, "called after MPI_Finalize");
    if (process.had_sessions.load(std::memory_order_relaxed))
        return fail(MPI_ERR_OTHER,
                    "called when the last session has been finalized, and without MPI_Init");
    return fail(MPI_ERR_OTHER, "called before MPI_Init");
}

} // namespace thrum
