// How many entries the arrays of datatypes have whose lengths a call does not say, for bindings
// that convert them. 0 if the handle is no communicator: the call itself reports that error.
#pragma once
#include "mpi.h"

namespace thrum {

int peers_of(MPI_Comm comm); // for a collective
// For a neighbourhood collective (section 8.6), of the calling rank; 0 without a topology.
int destinations_of(MPI_Comm comm);
int sources_of(MPI_Comm comm);
// Of a Cartesian topology (section 8.5); 0 for other communicators.
int dimensions_of(MPI_Comm comm);

} // namespace thrum
