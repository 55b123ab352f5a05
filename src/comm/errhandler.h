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
Errhandler *new_errhandler(Errhandler::Kind kind, void (*function)()); // with one reference
void retain(Errhandler &errhandler); // a no-op for predefined ones
void release(Errhandler &errhandler);

// Says that `error`, which the calling thread is about to return, belongs to `comm`, although the
// MPI call has no communicator among its arguments: MPI_Wait's request, MPI_Comm_free's handle. Its
// error handler is then called (section 9.3). Hands the error on; does nothing with success.
Error blame(Communicator &comm, Error error);
// The same for MPI_ERR_IN_STATUS: the handler is told `code`, that of the operation that has failed
// (section 9.3.1). nullptr: the operation has no communicator.
Error blame_in_status(Communicator *comm, Error error, int code);

struct Blame {
    Communicator *comm; // with a reference to give up; nullptr: none was blamed
    int code;           // what the error handler is told
};

// Who is to blame for `error`. Forgets it.
Blame take_blame(Error error);

} // namespace thrum
