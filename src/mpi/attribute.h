// Attributes with integer values, for languages without pointers (MPI 5.0 section 19.3.7): what
// their bindings need beside mpi::comm_set_attr and similar functions.
#pragma once
#include "comm/attributes.h"
#include "entry/calls.h"

namespace thrum::mpi {

// Set the attribute. C gets the address of a copy of the integer.
Error comm_set_integer_attr(Communicator &comm, int comm_keyval, MPI_Aint value);
Error type_set_integer_attr(Datatype &datatype, int type_keyval, MPI_Aint value);
Error win_set_integer_attr(Window &win, int win_keyval, MPI_Aint value);
// Return the integer that was set, or a pointer of C as an integer; for a predefined attribute its
// value, where C gets an address.
Error comm_get_integer_attr(Communicator &comm, int comm_keyval, MPI_Aint *value, int *flag);
Error type_get_integer_attr(Datatype &datatype, int type_keyval, MPI_Aint *value, int *flag);
Error win_get_integer_attr(Window &win, int win_keyval, MPI_Aint *value, int *flag);

} // namespace thrum::mpi
