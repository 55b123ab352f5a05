// What happens when an MPI call goes wrong (MPI 5.0 section 9.3): the error handler of the object
// is called; if it is fatal, one line tells who did what wrong where, and the job ends.
#include "mpi/entry.h"

#include "comm/errhandler.h"
#include "comm/error_codes.h"
#include "inspect/symbols.h"
#include "rank/job.h"

#include <cstdio>
#include <cstring>

namespace thrum {

const char *const function_names[] = {
    "",
#include "mpi/function_names.inc"
};

namespace {

[[noreturn, gnu::cold]] void end_with_error(CallId call, int code, const char *detail) {
    Process &process = current_process();
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
    char place[512];
    claim_end();
    report("rank %d: %s: %s: %s (at %s)", process.world_rank(), function_name(call.function),
           code_text, sentence, describe_call_site(call.call_site, place, sizeof place));
    // The exit code is the error class where that is a number that a process can return.
    end_job(error_class > 0 && error_class < 126 ? error_class : 1);
}

bool is_active(const Process &process) {
    return process.state.load(std::memory_order_relaxed) == ProcessState::Initialized;
}

// `detail` is what is known of the error; the handler's own MPI calls may overwrite the record.
void call_errhandler_with(Communicator *comm, CallId call, int code, const char *detail) {
    Process &process = current_process();
    // Section 9.3: an error without an object is MPI_COMM_SELF's; before MPI_Init and after
    // MPI_Finalize the initial error handler, MPI_ERRORS_ARE_FATAL, is called.
    if (!comm && is_active(process))
        comm = process.self;
    Errhandler &handler = comm ? *comm->errhandler : errors_are_fatal;
    switch (handler.kind) {
    case Errhandler::Kind::Return:
        return;
    case Errhandler::Kind::Comm: {
        MPI_Comm handle = handle_of(*comm);
        retain(handler); // the function may set another one
        if (handler.foreign)
            handler.foreign(handler.function, handle, &code);
        else
            reinterpret_cast<MPI_Comm_errhandler_function *>(handler.function)(&handle, &code);
        release(handler);
        return;
    }
    default:
        end_with_error(call, code, detail);
    }
}

} // namespace

const char *function_name(Function function) {
    auto index = static_cast<size_t>(function);
    return index < std::size(function_names) ? function_names[index] : "";
}

void call_errhandler(Communicator *comm, CallId call, int code) {
    call_errhandler_with(comm, call, code, "");
}

int raise(const Scope &scope, CallId call, Error error) {
    char detail[512];
    std::snprintf(detail, sizeof detail, "%s", error_detail(error.code()));
    Blame blame = take_blame(error);
    // MPI_Comm_free and a user's handler may free it meanwhile.
    call_errhandler_with(scope.comm ? scope.comm : blame.comm, call, blame.code, detail);
    if (blame.comm)
        release(*blame.comm);
    return error.code();
}

Error not_active(const Process &process) {
    if (process.state.load(std::memory_order_relaxed) == ProcessState::Created)
        return fail(MPI_ERR_OTHER, "called before MPI_Init");
    return fail(MPI_ERR_OTHER, "called after MPI_Finalize");
}

Error unimplemented() {
    return fail(MPI_ERR_UNSUPPORTED_OPERATION, "this function is not implemented yet");
}

} // namespace thrum
