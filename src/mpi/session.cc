// The Sessions Model (MPI 5.0 section 11.3). Sessions are objects of comm/session.h; here are their
// MPI functions, and what the first and the last session of a rank do for the process.
#include "comm/session.h"

#include "comm/process.h"
#include "comm/process_sets.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/tolerance.h"
#include "image/refuse.h"
#include "inspect/python_interpreter.h"
#include "mpi/creation.h"
#include "mpi/fortran_compiler.h"
#include "mpi/spawn.h"
#include "pt2pt/buffered.h"
#include "pt2pt/departure.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/request_pool.h"
#include "record/outcomes.h"
#include "wireup/unlaunched_task.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace thrum::mpi {

PERFORMANCE_VARIABLE(
    sessions, .category = "processes", .description = "open sessions of this rank",
    .variable_class = MPI_T_PVAR_CLASS_LEVEL, .verbosity = MPI_T_VERBOSITY_USER_BASIC,
    .read = [](uint32_t) {
        return static_cast<uint64_t>(current_process().sessions.load(std::memory_order_relaxed));
    });

namespace {

constexpr const char *thread_levels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                         "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};

// An unknown thread level is an error; other keys are ignored.
Error check_hints(const Info *info) {
    const std::string *level = info ? info->get("thread_level") : nullptr;
    if (level && std::find(std::begin(thread_levels), std::end(thread_levels), *level) ==
                     std::end(thread_levels))
        return fail(MPI_ERR_INFO_VALUE,
                    "thread_level of info is \"%s\", which is not a level of thread support",
                    level->c_str());
    return success;
}

// Returns the result of MPI_Session_get_info: the supported hints, and those of the user that are
// respected.
Info &make_hints(const Info *asked) {
    Info *hints = new_info();
    hints->set("thread_level", "MPI_THREAD_MULTIPLE"); // whatever was asked for
    hints->set(
        "mpi_memory_alloc_kinds",
        supported_memory_kinds(asked ? asked->get("mpi_memory_alloc_kinds") : nullptr).c_str());
    return *hints;
}

Error no_such_pset(const char *name) {
    return fail(MPI_ERR_ARG, "pset_name is \"%s\", but there are only mpi://WORLD and mpi://SELF",
                name);
}

} // namespace

// Errors go to the error handler in the arguments, because there is no session yet. The first
// session joins the other processes of the job, as MPI_Init would.
Error session_init(Info *handle, Errhandler &errhandler, MPI_Session *session) {
    Info *info;
    if (errhandler.kind > Errhandler::Kind::Return && errhandler.kind != Errhandler::Kind::Session)
        return fail(MPI_ERR_ERRHANDLER, "errhandler was not made for sessions");
    // The info is checked here, not at the entry point, because its error belongs to the passed
    // error handler, too.
    Error error = named_info("info", handle, info);
    if (!error)
        error = check_hints(info);
    if (error)
        return blame(Culprit{&errhandler, MPI_SESSION_NULL}, error);
    if (has_other_processes())
        if (Error join_error = join_other_processes())
            return blame(Culprit{&errhandler, MPI_SESSION_NULL}, join_error);
    refuse_foreign_mpi();
    refuse_unlaunched_task();
    begin_outcomes();
    find_python();
    let_children_be_jobs();
    return_to_sessions(current_process());
    if (declare_fortran_compiler)
        if (Error compiler_error = declare_fortran_compiler())
            return blame(Culprit{&errhandler, MPI_SESSION_NULL}, compiler_error);
    *session = new_session(current_process(), errhandler, make_hints(info));
    return success;
}

// The last session of a rank completes pending communication, as MPI_Finalize would. The buffer of
// the process is only flushed if the World Model does not use it any longer.
Error session_finalize(MPI_Session *session) {
    Session *found = find_session(*session);
    if (!found)
        return arg::bad_handle(MPI_ERR_SESSION, "session", *session, "session");
    Process &process = *found->process;
    Error unmatched;
    finish_buffer(buffer_of(*found)); // section 3.6: its messages are delivered
    if (process.sessions.load(std::memory_order_relaxed) == 1) { // the last one: like MPI_Finalize
        if (!process.valid_world)
            flush_buffer(buffer_of(process));
        unmatched = allow_cancelled(finish_requests_of_sessions(process, !process.valid_world));
        unmatched = blame(Culprit{found->errhandler, MPI_SESSION_NULL}, unmatched);
    }
    finalize_session(*found);
    *session = MPI_SESSION_NULL;
    return unmatched;
}

Error session_get_num_psets(Session &, Info *, int *npset_names) {
    *npset_names = pset_count;
    return success;
}

// `pset_len` becomes the length that is needed, with the null character; the name is truncated.
Error session_get_nth_pset(Session &, Info *, int n, int *pset_len, char *name) {
    if (n < 0 || n >= pset_count)
        return fail(MPI_ERR_ARG, "n is %d, but there are %d process sets", n, pset_count);
    if (*pset_len < 0)
        return fail(MPI_ERR_ARG, "pset_len is %d, but must not be negative", *pset_len);
    if (*pset_len > 0) {
        if (!name)
            return fail(MPI_ERR_ARG, "pset_name is a null pointer, but pset_len is %d", *pset_len);
        std::snprintf(name, static_cast<size_t>(*pset_len), "%s", pset_name(n));
    }
    *pset_len = static_cast<int>(std::strlen(pset_name(n))) + 1;
    return success;
}

Error session_get_info(Session &session, MPI_Info *info_used) {
    *info_used = copy_info(*session.hints);
    return success;
}

// The only key is the size of the set.
Error session_get_pset_info(Session &session, const char *name, MPI_Info *info) {
    if (!name)
        return fail(MPI_ERR_ARG, "pset_name is a null pointer");
    Group *group = new_pset_group(*session.process, name, nullptr);
    if (!group)
        return no_such_pset(name);
    Info *about = new_info();
    about->set("mpi_size", std::to_string(group->size).c_str());
    release(*group);
    *info = about;
    return success;
}

// The group belongs to the session: so do communicators that are made from it.
Error group_from_session_pset(Session &session, const char *name, MPI_Group *newgroup) {
    if (!name)
        return fail(MPI_ERR_ARG, "pset_name is a null pointer");
    Group *group = new_pset_group(*session.process, name, &session);
    if (!group)
        return no_such_pset(name);
    *newgroup = handle_of(*group);
    return success;
}

} // namespace thrum::mpi
