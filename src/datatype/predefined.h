// The predefined datatypes (MPI 5.0 section 3.2.2, 5.1, 6.9.4, 19.1): one table for all ranks.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// A value and index datatype (section 6.9.4). Only those with a name exist: MPI 5.0 lets
// MPI_Type_get_value_index return MPI_DATATYPE_NULL for others, as all MPIs do. Programs (among
// them the tests of mpi4py) do not expect types without a name.
struct PairParts {
    const Datatype *value = nullptr;
    const Datatype *index = nullptr;
    Count index_offset = 0;
};

// The bytes of Fortran's types of default kind, as gfortran has them without options that change
// them (-fdefault-integer-8).
struct FortranSizes {
    int logical = 4, integer = 4, real = 4, double_precision = 8;
};

// Gives MPI_INTEGER, MPI_REAL, MPI_2INTEGER and so on these sizes, for all ranks of the process.
// Returns false, and changes nothing, if a size is not that of a type: LOGICAL, INTEGER and REAL
// have 4 or 8 bytes, DOUBLE PRECISION 8 or 16.
//
// Called before ranks use these datatypes, which are read without a lock.
bool set_fortran_sizes(const FortranSizes &sizes);
// Returns the bytes of INTEGER: those of MPI_INTEGER.
int fortran_integer_bytes();

// Returns the standard's name of a named predefined datatype, or nullptr.
const char *predefined_name(const Datatype &datatype);

// Returns the parts of a datatype whose kind is BasicKind::Pair.
PairParts pair_parts(const Datatype &pair);
// Returns the named pair of these, or nullptr.
Datatype *find_pair(const Datatype &value, const Datatype &index);

} // namespace thrum
