// Error handling (MPI 5.0 chapter 9): error handlers, classes, codes and strings.
#include "comm/error_codes.h"
#include "comm/process.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "io/file_defaults.h"

#include <cstdio>
#include <cstring>

namespace thrum::mpi {
namespace {

using Kind = Errhandler::Kind;

// Makes an error handler for objects of this kind; the program owns it.
template <class Function>
Error create_errhandler(Kind kind, Function *function, MPI_Errhandler *errhandler) {
    if (!function)
        return fail(MPI_ERR_ARG, "the error handler's function is a null pointer");
    *errhandler = handle_of(*new_errhandler(kind, reinterpret_cast<void (*)()>(function)));
    return success;
}

// Returns the MPI call that the thread is in, for a report of the error handler.
CallId caller() {
    Call &call = current_rank_thread().call;
    return {static_cast<Function>(call.function.load(std::memory_order_relaxed)),
            call.call_site.load(std::memory_order_relaxed)};
}

} // namespace

// Error handlers (section 9.3)

Error comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler) {
    return create_errhandler(Kind::Comm, function, errhandler);
}

Error win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *errhandler) {
    return create_errhandler(Kind::Win, function, errhandler);
}

Error file_create_errhandler(MPI_File_errhandler_function *function, MPI_Errhandler *errhandler) {
    return create_errhandler(Kind::File, function, errhandler);
}

Error session_create_errhandler(MPI_Session_errhandler_function *function,
                                MPI_Errhandler *errhandler) {
    return create_errhandler(Kind::Session, function, errhandler);
}

// Remembers whether the program sets the handler of MPI_COMM_SELF: until then errors without an
// object go to MPI_COMM_WORLD's (entry.cc).
Error comm_set_errhandler(Communicator &comm, Errhandler &errhandler) {
    Error error = set_errhandler(comm.errhandler, Kind::Comm, errhandler);
    if (!error && &comm == comm.process->self)
        comm.process->has_set_self_handler = true;
    return error;
}

Error comm_get_errhandler(Communicator &comm, MPI_Errhandler *errhandler) {
    // Section 9.3.1: counts like a new object, which the caller frees.
    retain(*comm.errhandler);
    *errhandler = handle_of(*comm.errhandler);
    return success;
}

Error comm_call_errhandler(Communicator &comm, int errorcode) {
    call_errhandler(culprit_of(comm), caller(), errorcode);
    return success;
}

// Sets the handler. MPI_FILE_NULL (a null pointer) means the default file error handler (section
// 14.7), with which later files begin.
Error file_set_errhandler(File *file, Errhandler &errhandler) {
    return set_errhandler(file ? file->errhandler : defaults_of(current_process()).errhandler,
                          Kind::File, errhandler);
}

Error file_get_errhandler(File *file, MPI_Errhandler *errhandler) {
    Errhandler &found = file ? *file->errhandler : *defaults_of(current_process()).errhandler;
    retain(found);
    *errhandler = handle_of(found);
    return success;
}

// MPI_FILE_NULL (a null pointer) means the default file error handler.
Error file_call_errhandler(File *file, int errorcode) {
    call_errhandler(file ? culprit_of(*file) : default_file_culprit(current_process()), caller(),
                    errorcode);
    return success;
}

Error win_set_errhandler(Window &win, Errhandler &errhandler) {
    return set_errhandler(win.errhandler, Kind::Win, errhandler);
}

Error win_get_errhandler(Window &win, MPI_Errhandler *errhandler) {
    retain(*win.errhandler);
    *errhandler = handle_of(*win.errhandler);
    return success;
}

Error win_call_errhandler(Window &win, int errorcode) {
    call_errhandler(culprit_of(win), caller(), errorcode);
    return success;
}

Error session_set_errhandler(Session &session, Errhandler &errhandler) {
    return set_errhandler(session.errhandler, Kind::Session, errhandler);
}

Error session_get_errhandler(Session &session, MPI_Errhandler *errhandler) {
    retain(*session.errhandler);
    *errhandler = handle_of(*session.errhandler);
    return success;
}

Error session_call_errhandler(Session &session, int errorcode) {
    call_errhandler({session.errhandler, &session}, caller(), errorcode);
    return success;
}

// The handler lives on while objects use it.
Error errhandler_free(MPI_Errhandler *errhandler) {
    Errhandler *found = find_errhandler(*errhandler);
    if (!found)
        return arg::bad_handle(MPI_ERR_ERRHANDLER, "errhandler", *errhandler, "error handler");
    release(*found); // predefined ones stay, even if MPI_Comm_get_errhandler returned them
    *errhandler = MPI_ERRHANDLER_NULL;
    return success;
}

// Classes and codes (sections 9.4 and 9.5)

Error error_class(int errorcode, int *errorclass) {
    return find_error_class(current_process(), errorcode, *errorclass);
}

// The text of a class, and this rank's details of its last error with that code: the argument, or
// the ranks that disagree.
Error error_string(int errorcode, char *string, int *resultlen) {
    std::string text;
    if (Error error = find_error_text(current_process(), errorcode, text))
        return error;
    if (const char *detail = error_detail(errorcode); *detail && error_class_text(errorcode))
        text += std::string(": ") + detail;
    (void)std::snprintf(string, MPI_MAX_ERROR_STRING, "%s", text.c_str());
    *resultlen = static_cast<int>(std::strlen(string));
    return success;
}

Error add_error_class(int *errorclass) {
    *errorclass = thrum::add_error_class(current_process());
    return success;
}

Error add_error_code(int errorclass, int *errorcode) {
    return thrum::add_error_code(current_process(), errorclass, *errorcode);
}

Error add_error_string(int errorcode, const char *string) {
    if (std::strlen(string) >= MPI_MAX_ERROR_STRING)
        return fail(MPI_ERR_ARG, "string has %zu characters, at most %d are allowed",
                    std::strlen(string), MPI_MAX_ERROR_STRING - 1);
    return set_error_text(current_process(), errorcode, string);
}

Error remove_error_class(int errorclass) {
    return thrum::remove_error_class(current_process(), errorclass);
}

Error remove_error_code(int errorcode) {
    return thrum::remove_error_code(current_process(), errorcode);
}

Error remove_error_string(int errorcode) {
    return remove_error_text(current_process(), errorcode);
}

} // namespace thrum::mpi
