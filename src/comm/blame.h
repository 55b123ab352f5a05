// Blame: to which object's error handler an error belongs (MPI 5.0 section 9.3).
#pragma once
#include "comm/errhandler.h"

namespace thrum {

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
