// The predefined datatypes (MPI 5.0 section 3.2.2, 5.1, 6.9.4, 19.1): one table for all ranks.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// A value and index datatype (section 6.9.4). Those with a name are all that there are: MPI 5.0
// lets MPI_Type_get_value_index return MPI_DATATYPE_NULL for others, and so does everybody;
// programs (the tests of mpi4py among them) do not expect types without a name.
struct PairParts {
    const Datatype *value = nullptr;
    const Datatype *index = nullptr;
    Count index_offset = 0;
};

// The name by which the standard knows a named predefined datatype, or nullptr.
const char *predefined_name(const Datatype &datatype);

// Of a datatype whose kind is BasicKind::Pair.
PairParts pair_parts(const Datatype &pair);
// The pair of these, or nullptr.
Datatype *find_pair(const Datatype &value, const Datatype &index);

} // namespace thrum
