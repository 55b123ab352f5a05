// Errhandler (MPI 5.0 section 9.3).
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>

namespace thrum {
using Errhandler = struct ::MPI_ABI_Errhandler;
}

struct MPI_ABI_Errhandler {
    static constexpr uint32_t magic_live = 0x65727268;
    enum class Kind : unsigned char { AreFatal, Abort, Return, Comm, Win, File, Session };
    uint32_t magic = magic_live;
    Kind kind = Kind::AreFatal;
    void (*function)() = nullptr; // kinds Comm..Session: the user's, cast
    // How to call a function of another language than C with a handle and an error code; nullptr: C
    void (*foreign)(void (*function)(), void *handle, int *code) = nullptr;
    std::atomic<int> references{1};
};

namespace thrum {

extern Errhandler errors_are_fatal, errors_abort, errors_return; // the predefined ones
Errhandler *find_errhandler(MPI_Errhandler handle); // nullptr if null, freed or no error handler
MPI_Errhandler handle_of(Errhandler &errhandler);
// "mpi_errors_return" (section 11.8.4), in upper or lower case; nullptr: none is named so
Errhandler *find_predefined_errhandler(const char *name);
Errhandler *new_errhandler(Errhandler::Kind kind, void (*function)()); // with one reference
void retain(Errhandler &errhandler); // a no-op for predefined ones
void release(Errhandler &errhandler);

// Makes `errhandler` that of an object whose kind of error handler is `kind`, in place of
// `current`.
// Says on the status page that the process handles errors, if `errhandler` returns.
void show_handler_to_launcher(const Errhandler &errhandler);
Error set_errhandler(Errhandler *&current, Errhandler::Kind kind, Errhandler &errhandler);

// The object to which an error belongs: a communicator, window, file or session.
struct Culprit {
    Errhandler *handler = nullptr; // nullptr: no object (MPI_COMM_SELF's handler is called)
    void *handle = nullptr;        // MPI_Comm, MPI_Win, MPI_File, MPI_Session: for the function
    Communicator *comm = nullptr;  // if it is one: is kept until the handler has returned
};

Culprit culprit_of(Communicator &comm);

// Says that `error`, which the calling thread is about to return, belongs to `culprit`, although it
// is not among the arguments of the MPI call: MPI_Wait's request, MPI_Comm_free's handle. Its error
// handler is then called (section 9.3). Hands the error on; does nothing with success.
Error blame(const Culprit &culprit, Error error);
Error blame(Communicator &comm, Error error);
// The same for MPI_ERR_IN_STATUS: the handler is told `code`, that of the operation that has failed
// (section 9.3.1).
Error blame_in_status(const Culprit &culprit, Error error, int code);

struct Blame {
    Culprit culprit; // what it refers to is kept until forget()
    int code = 0;    // what the error handler is told
};

// Who is to blame for `error`. The record is gone then; the caller must forget() what it got.
Blame take_blame(Error error);
void forget(const Blame &blame);

} // namespace thrum
