// How many entries the arrays of datatypes and counts have whose lengths a call does not say, for
// bindings that convert them. 0 if the handle is no communicator: the call itself reports that
// error.
#pragma once
#include "mpi.h"

namespace thrum {

int peers_of(MPI_Comm comm); // for a collective
// For a collective whose arrays are significant at the root only; 0 for other ranks.
int peers_at_root(MPI_Comm comm, int root);
int members_of(MPI_Comm comm); // of the calling rank's group
// For a neighbourhood collective (section 8.6), of the calling rank; 0 without a topology.
int destinations_of(MPI_Comm comm);
int sources_of(MPI_Comm comm);
// Of a Cartesian topology (section 8.5); 0 for other communicators.
int dimensions_of(MPI_Comm comm);

} // namespace thrum
