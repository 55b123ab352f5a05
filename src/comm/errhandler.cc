#include "comm/errhandler.h"

#include "comm/object_pool.h"

namespace thrum {
namespace {

constinit ObjectPool<Errhandler> pool;

// Of the calling thread. The reference keeps the communicator until the error has been raised.
thread_local Communicator *blamed = nullptr;
thread_local int blamed_code = 0;
thread_local int told_code = 0;

bool is_predefined(const Errhandler &errhandler) {
    return errhandler.kind <= Errhandler::Kind::Return;
}

} // namespace

constinit Errhandler errors_are_fatal{.kind = Errhandler::Kind::AreFatal};
constinit Errhandler errors_abort{.kind = Errhandler::Kind::Abort};
constinit Errhandler errors_return{.kind = Errhandler::Kind::Return};

Errhandler *find_errhandler(MPI_Errhandler handle) {
    if (handle == MPI_ERRORS_ARE_FATAL)
        return &errors_are_fatal;
    if (handle == MPI_ERRORS_ABORT)
        return &errors_abort;
    if (handle == MPI_ERRORS_RETURN)
        return &errors_return;
    return is_live(handle) ? handle : nullptr;
}

MPI_Errhandler handle_of(Errhandler &errhandler) {
    switch (errhandler.kind) {
    case Errhandler::Kind::AreFatal:
        return MPI_ERRORS_ARE_FATAL;
    case Errhandler::Kind::Abort:
        return MPI_ERRORS_ABORT;
    case Errhandler::Kind::Return:
        return MPI_ERRORS_RETURN;
    default:
        return &errhandler;
    }
}

Errhandler *new_errhandler(Errhandler::Kind kind, void (*function)()) {
    Errhandler *errhandler = pool.make();
    errhandler->kind = kind;
    errhandler->function = function;
    return errhandler;
}

void retain(Errhandler &errhandler) {
    if (!is_predefined(errhandler))
        errhandler.references.fetch_add(1, std::memory_order_relaxed);
}

void release(Errhandler &errhandler) {
    // acq_rel [errhandler-1]: the last one to leave frees after everybody's use.
    if (!is_predefined(errhandler) &&
        errhandler.references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        pool.destroy(&errhandler);
}

Error blame(Communicator &comm, Error error) {
    return blame_in_status(&comm, error, error.code());
}

Error blame_in_status(Communicator *comm, Error error, int code) {
    if (!error)
        return error;
    if (comm)
        retain(*comm);
    if (blamed)
        release(*blamed);
    blamed = comm;
    blamed_code = error.code();
    told_code = code;
    return error;
}

Blame take_blame(Error error) {
    Blame blame{blamed, told_code};
    blamed = nullptr;
    if (blamed_code != error.code()) { // of an error that nobody raised, or of none
        if (blame.comm)
            release(*blame.comm);
        blame = {nullptr, error.code()};
    }
    blamed_code = 0;
    return blame;
}

} // namespace thrum
