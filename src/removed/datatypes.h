// Datatypes by the functions that MPI 3.0 removed: a struct whose members may be MPI_LB and MPI_UB,
// and the bounds of a datatype one by one.
#pragma once
#include "datatype/count_array.h"
#include "datatype/datatype.h"
#include "entry/entry.h"
#include "mpi.h"

namespace thrum::removed {

// Works like MPI_Type_create_struct, except that bounds may be given as members.
Error type_struct(Count count, CountArray array_of_blocklengths, CountArray array_of_displacements,
                  const MPI_Datatype array_of_types[], MPI_Datatype *newtype) MAY_SUSPEND;

Error type_extent(Datatype &datatype, MPI_Aint *extent);
Error type_lb(Datatype &datatype, MPI_Aint *displacement);
Error type_ub(Datatype &datatype, MPI_Aint *displacement);

} // namespace thrum::removed
