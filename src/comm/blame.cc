// The record of who is responsible for an error: one per thread, written where the error is found,
// taken by raise() (entry/entry.cc) at the end of the same MPI call. The code tells whether the
// record belongs to the error that is being raised, or is left from one that nobody raised.
#include "comm/blame.h"

#include "comm/communicator_lifecycle.h"
#include "comm/process.h"

namespace thrum {
namespace {

// The calling thread's culprit for the error with this code.
constinit thread_local Blame blamed;
constinit thread_local int blamed_code = 0;

} // namespace

Culprit culprit_of(Communicator &comm) {
    return {comm.errhandler, handle_of(comm), &comm};
}

Error blame(const Culprit &culprit, Error error) {
    return blame_in_status(culprit, error, error.code());
}

Error blame(Communicator &comm, Error error) {
    return error ? blame(culprit_of(comm), error) : error;
}

// The record holds references: MPI_Comm_free may release the last handle before the error is
// raised.
Error blame_in_status(const Culprit &culprit, Error error, int code) {
    if (!error)
        return error;
    if (culprit.handler)
        retain(*culprit.handler);
    if (culprit.comm)
        retain(*culprit.comm);
    forget(blamed);
    blamed = {culprit, code};
    blamed_code = error.code();
    return error;
}

Blame take_blame(Error error) {
    Blame blame = blamed;
    blamed = {};
    if (blamed_code != error.code()) { // for an error that nobody raised, or for none
        forget(blame);
        blame = {{}, error.code()};
    }
    blamed_code = 0;
    return blame;
}

void forget(const Blame &blame) {
    if (blame.culprit.handler)
        release(*blame.culprit.handler);
    if (blame.culprit.comm)
        release(*blame.culprit.comm);
}

} // namespace thrum
