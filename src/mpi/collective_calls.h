// The forms of the collective operations: blocking, non-blocking (MPI 5.0 section 6.12) and
// persistent (section 6.13): a table with a row for each operation, from which the forms are
// generated (coll.cc, reduce.cc). MPI_Iname begins the call at once. MPI_Name_init keeps it for
// MPI_Start (pt2pt/persistent.h) and never waits. No hints in `info` are supported.
//
// Arguments are checked by a function for each operation, the same for all forms. It takes the
// arguments of MPI_X, returns errors that one rank can detect alone, and otherwise fills in what
// this rank sends and receives (meeting/collective_call.h).
#pragma once
#include "coll/coll.h"
#include "entry/calls.h"
#include "mpi/collective_arguments.h"

// A row of the table: `parameters` are common to all forms; `fill` returns their error, or writes
// them to `call`.
#define LIST(...) __VA_ARGS__
#define ALL_FORMS(name, collective, root, parameters, fill)                                        \
    Error name(LIST parameters, Communicator &comm) {                                              \
        CollectiveCall call(Collective::collective, root);                                         \
        fill;                                                                                      \
        return run_collective(comm, call);                                                         \
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

#define NO_ROOT (-1)
