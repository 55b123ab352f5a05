// The forms of the collective operations: blocking, non-blocking (MPI 5.0 section 6.12) and
// persistent (section 6.13). A table with a row for each operation generates them (coll.cc,
// reduce.cc). MPI_Iname begins the call at once. MPI_Name_init keeps it for MPI_Start
// (pt2pt/persistent.h) and never waits. Hints in `info` are ignored.
//
// Arguments are checked by one function for each operation, the same for all forms. It takes the
// arguments of MPI_X and returns errors that one rank can detect alone; otherwise it fills in what
// this rank sends and receives (meeting/collective_call.h).
#pragma once
#include "coll/coll.h"
#include "entry/calls.h"
#include "entry/thread_level.h"
#include "mpi/collective_arguments.h"

// A row of the table. `parameters` are common to all forms. `fill` is a statement that returns an
// error or writes the arguments to `call`. In the forms with a request it writes right into the
// request, which NewCollective frees after an error.
#define LIST(...) __VA_ARGS__
#define ALL_FORMS(name, collective, root, parameters, fill)                                        \
    Error name(LIST parameters, Communicator &comm) {                                              \
        CollectiveCall call(Collective::collective, root);                                         \
        fill;                                                                                      \
        return run_alone(comm, [&]() MAY_SUSPEND { return run_collective(comm, call); });          \
    }                                                                                              \
    Error i##name(LIST parameters, Communicator &comm, MPI_Request *request) {                     \
        NewCollective made(                                                                        \
            new CollectiveRequest(comm, Collective::collective, root, NonblockingForm));           \
        CollectiveCall &call = made->call;                                                         \
        fill;                                                                                      \
        begin_collective(*made.release(), request);                                                \
        return success;                                                                            \
    }                                                                                              \
    Error name##_init(LIST parameters, Communicator &comm, Info *, MPI_Request *request) {         \
        NewCollective made(                                                                        \
            new CollectiveRequest(comm, Collective::collective, root, PersistentForm));            \
        CollectiveCall &call = made->call;                                                         \
        fill;                                                                                      \
        return initialize_collective(std::move(made), request);                                    \
    }

// The root of operations without one.
#define NO_ROOT (-1)
