// Callbacks that are Fortran subroutines (MPI 5.0 sections 6.9.5, 9.3, 13.2, 14.5.3). They get
// everything by reference, handles as INTEGERs, and return their error code in the last argument.
//
// Where an object has a place for a foreign caller (`foreign` in Op and Errhandler), that is set.
// Generalized requests and data representations get C callbacks whose extra state holds the
// subroutines.
#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/entry_points.h"

#include <climits>

using namespace thrum;
using namespace thrum::fortran;

namespace {

// Reduction operations

// Calls a reduction subroutine.
void call_user_function(void (*function)(), void *invec, void *inoutvec, int *len,
                        MPI_Datatype datatype) {
    using Subroutine = void(void *invec, void *inoutvec, MPI_Fint *len, MPI_Fint *datatype);
    MPI_Fint number = to_fortran(datatype);
    reinterpret_cast<Subroutine *>(function)(invec, inoutvec, len, &number);
}

// Makes an operation and marks it as Fortran's.
Error op_create(Callback user_fn, int commute, MPI_Op *op) MAY_SUSPEND {
    if (Error error = mpi::op_create({user_fn, false}, commute, op))
        return error;
    (*op)->foreign = call_user_function;
    return success;
}

// Error handlers

// Calls an error handler for an object of type Handle. Only the first two arguments exist in
// Fortran.
template <class Handle>
void call_error_handler(void (*function)(), void *handle, int *code) {
    using Subroutine = void(MPI_Fint * object, MPI_Fint * error_code);
    MPI_Fint number = to_fortran(static_cast<Handle>(handle));
    reinterpret_cast<Subroutine *>(function)(&number, code);
}

// The error handler is C's object; only its call differs.
template <class Handle, Errhandler::Kind kind>
Error create_errhandler(Callback function, MPI_Errhandler *errhandler) {
    Errhandler *made = new_errhandler(kind, function);
    made->foreign = call_error_handler<Handle>;
    *errhandler = handle_of(*made);
    return success;
}

// Generalized requests

// The extra state of a generalized request: its subroutines, and a copy of the program's
// extra_state, which may have been the value of an expression in MPI_Grequest_start. Changes by the
// subroutines are also written to the program's variable: other MPIs pass on its address, and
// programs read it afterwards. Freed by free_request().
class GeneralizedRequest {
public:
    Callback query, free, cancel;

    GeneralizedRequest(Callback query_fn, Callback free_fn, Callback cancel_fn, MPI_Aint *state)
        : query(query_fn), free(free_fn), cancel(cancel_fn), value_(*state), of_program_(state) {}

    // Calls call(address of the extra state).
    template <class Call>
    void with_state(Call call) {
        const MPI_Aint before = value_;
        call(&value_);
        if (value_ != before)
            *of_program_ = value_;
    }

private:
    MPI_Aint value_;
    MPI_Aint *of_program_;
};

// The three C callbacks of a generalized request; `state` is a GeneralizedRequest.
int query_request(void *state, MPI_Status *status) {
    using Subroutine = void(MPI_Aint * extra_state, MPI_Status * status, MPI_Fint * ierror);
    auto &request = *static_cast<GeneralizedRequest *>(state);
    MPI_Fint ierror = MPI_SUCCESS;
    request.with_state([&](MPI_Aint *extra_state) {
        reinterpret_cast<Subroutine *>(request.query)(extra_state, status, &ierror);
    });
    return ierror;
}

// The last callback of a request: frees its state.
int free_request(void *state) {
    using Subroutine = void(MPI_Aint * extra_state, MPI_Fint * ierror);
    auto *request = static_cast<GeneralizedRequest *>(state);
    MPI_Fint ierror = MPI_SUCCESS;
    request->with_state([&](MPI_Aint *extra_state) {
        reinterpret_cast<Subroutine *>(request->free)(extra_state, &ierror);
    });
    delete request;
    return ierror;
}

// Calls the cancel subroutine. LOGICAL complete is C's flag.
int cancel_request(void *state, int complete) {
    using Subroutine = void(MPI_Aint * extra_state, MPI_Fint * complete, MPI_Fint * ierror);
    auto &request = *static_cast<GeneralizedRequest *>(state);
    MPI_Fint ierror = MPI_SUCCESS;
    request.with_state([&](MPI_Aint *extra_state) {
        reinterpret_cast<Subroutine *>(request.cancel)(extra_state, &complete, &ierror);
    });
    return ierror;
}

// The state is freed by free_request(), or here if the request is not made.
Error grequest_start(Callback query, Callback free, Callback cancel, MPI_Aint *extra_state,
                     MPI_Request *request) MAY_SUSPEND {
    auto *state = new GeneralizedRequest(query, free, cancel, extra_state);
    Error error = mpi::grequest_start(query_request, free_request, cancel_request, state, request);
    if (error)
        delete state;
    return error;
}

// Data representations

// The subroutines of a data representation, which C's callbacks call. It lives as long as the
// process (section 14.5.3).
struct Representation {
    Callback read, write, extent;
    MPI_Aint extra_state;
};

// Calls a conversion subroutine. Its count is an INTEGER.
int convert(Callback function, Representation &representation, void *userbuf, MPI_Datatype datatype,
            MPI_Count count, void *filebuf, MPI_Offset position) {
    using Subroutine = void(void *userbuf, MPI_Fint *datatype, MPI_Fint *count, void *filebuf,
                            MPI_Offset *position, MPI_Aint *extra_state, MPI_Fint *ierror);
    if (count > INT_MAX)
        return MPI_ERR_VALUE_TOO_LARGE;
    MPI_Fint number = to_fortran(datatype), elements = static_cast<MPI_Fint>(count);
    MPI_Fint ierror = MPI_SUCCESS;
    reinterpret_cast<Subroutine *>(function)(userbuf, &number, &elements, filebuf, &position,
                                             &representation.extra_state, &ierror);
    return ierror;
}

// The two C callbacks of a data representation; `state` is a Representation.
int convert_read(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                 MPI_Offset position, void *state) {
    auto &representation = *static_cast<Representation *>(state);
    return convert(representation.read, representation, userbuf, datatype, count, filebuf,
                   position);
}

int convert_write(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                  MPI_Offset position, void *state) {
    auto &representation = *static_cast<Representation *>(state);
    return convert(representation.write, representation, userbuf, datatype, count, filebuf,
                   position);
}

// Calls the subroutine that returns the extent of a datatype in the file.
int file_extent(MPI_Datatype datatype, MPI_Aint *extent, void *state) {
    using Subroutine =
        void(MPI_Fint * datatype, MPI_Aint * extent, MPI_Aint * extra_state, MPI_Fint * ierror);
    auto &representation = *static_cast<Representation *>(state);
    MPI_Fint number = to_fortran(datatype), ierror = MPI_SUCCESS;
    reinterpret_cast<Subroutine *>(representation.extent)(&number, extent,
                                                          &representation.extra_state, &ierror);
    return ierror;
}

// Returns the C callback for a conversion subroutine; none for MPI_CONVERSION_FN_NULL.
AnyFunction conversion(Callback subroutine, MPI_Datarep_conversion_function *caller) {
    return {is_conversion_null(subroutine) ? nullptr : reinterpret_cast<Callback>(caller), false};
}

// The state is never freed if the registration succeeds: views may refer to it.
Error register_datarep(const char *datarep, Callback read, Callback write, Callback extent,
                       MPI_Aint extra_state) MAY_SUSPEND {
    auto *state = new Representation{read, write, extent, extra_state};
    Error error = mpi::register_datarep(datarep, conversion(read, convert_read),
                                        conversion(write, convert_write), file_extent, state);
    if (error)
        delete state;
    return error;
}

} // namespace

extern "C" {

void thrum_fortran_op_create(void (*user_fn)(), MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror) {
    *ierror = enter<op_create>(CALL(Op_create), arg::Plain{"user_fn", user_fn},
                               arg::Plain{"commute", *commute},
                               arg::Pointer{"op", Handles<MPI_Op, Use::Out>(op).c()});
}

// The entry points for the four kinds of objects.
#define CREATE_ERRHANDLER(name, lower_name, Handle)                                                \
    void thrum_fortran_##lower_name##_create_errhandler(void (*lower_name##_errhandler_fn)(),      \
                                                        MPI_Fint *errhandler, MPI_Fint *ierror) {  \
        *ierror = enter_anytime<create_errhandler<Handle, Errhandler::Kind::name>>(                \
            CALL(name##_create_errhandler),                                                        \
            arg::Plain{#lower_name "_errhandler_fn", lower_name##_errhandler_fn},                  \
            arg::Pointer{"errhandler", Handles<MPI_Errhandler, Use::Out>(errhandler).c()});        \
    }
CREATE_ERRHANDLER(Comm, comm, MPI_Comm)
CREATE_ERRHANDLER(Win, win, MPI_Win)
CREATE_ERRHANDLER(File, file, MPI_File)
CREATE_ERRHANDLER(Session, session, MPI_Session)

void thrum_fortran_grequest_start(void (*query_fn)(), void (*free_fn)(), void (*cancel_fn)(),
                                  void *extra_state, MPI_Fint *request, MPI_Fint *ierror) {
    *ierror =
        enter<grequest_start>(CALL(Grequest_start), arg::Plain{"query_fn", query_fn},
                              arg::Plain{"free_fn", free_fn}, arg::Plain{"cancel_fn", cancel_fn},
                              arg::Plain{"extra_state", static_cast<MPI_Aint *>(extra_state)},
                              arg::Pointer{"request", Handles<MPI_Request, Use::Out>(request).c()});
}

void thrum_fortran_register_datarep(char *datarep, void (*read_conversion_fn)(),
                                    void (*write_conversion_fn)(), void (*dtype_file_extent_fn)(),
                                    void *extra_state, MPI_Fint *ierror, size_t datarep_length) {
    *ierror = enter<register_datarep>(
        CALL(Register_datarep), arg::Plain{"datarep", InString(datarep, datarep_length).c()},
        arg::Plain{"read_conversion_fn", read_conversion_fn},
        arg::Plain{"write_conversion_fn", write_conversion_fn},
        arg::Plain{"dtype_file_extent_fn", dtype_file_extent_fn},
        arg::Plain{"extra_state", *static_cast<MPI_Aint *>(extra_state)});
}

} // extern "C"
