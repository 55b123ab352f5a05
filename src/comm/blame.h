// Blame: which object's error handler is responsible for an error (MPI 5.0 section 9.3). Errors of
// arguments need no blame: entry/entry.cc knows the objects of the call.
#pragma once
#include "comm/errhandler.h"

namespace thrum {

// The object responsible for an error: a communicator, window, file or session.
struct Culprit {
    Errhandler *handler = nullptr; // nullptr: no object, so MPI_COMM_SELF's handler is called
    void *handle = nullptr; // MPI_Comm, MPI_Win, MPI_File or MPI_Session, passed to the handler
    Communicator *comm = nullptr; // if it is a communicator: kept until the handler has returned
};

// Returns the communicator as a culprit, with its current error handler.
Culprit culprit_of(Communicator &comm);

// Declares `culprit` responsible for `error`, which the calling thread is about to return, although
// it is not among the arguments of the MPI call: MPI_Wait's request, MPI_Comm_free's handle. Its
// error handler is then called (section 9.3). Returns the error; does nothing for success.
Error blame(const Culprit &culprit, Error error);
Error blame(Communicator &comm, Error error);
// Does the same for MPI_ERR_IN_STATUS: the handler gets `code`, the error of the failed operation
// (section 9.3.1).
Error blame_in_status(const Culprit &culprit, Error error, int code);

// A culprit and the code of its error, as taken out of the record.
struct Blame {
    Culprit culprit; // what it refers to is kept until forget()
    int code = 0;    // the code that the error handler gets
};

// Takes the culprit of `error` and clears the record. The caller must forget() what it gets.
Blame take_blame(Error error);
// Releases what take_blame() has returned.
void forget(const Blame &blame);

} // namespace thrum
