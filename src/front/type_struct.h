// MPI_Type_struct, which MPI 3.0 removed: its members may be MPI_LB and MPI_UB.
#pragma once
#include "entry/entry.h"
#include "mpi.h"

namespace thrum::front {

// Like MPI_Type_create_struct, except that bounds may be given as members.
Error type_struct(Count count, const int *blocklengths, const MPI_Aint *displacements,
                  const MPI_Datatype *types, MPI_Datatype *newtype) MAY_SUSPEND;

} // namespace thrum::front
