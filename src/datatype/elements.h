// Converts bytes of data to elements and back (MPI 5.0 section 5.1.11).
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// Implements MPI_Get_count: whole elements in size_bytes of data, or MPI_UNDEFINED.
Count count_elements(const Datatype &datatype, Count size_bytes);
// Implements MPI_Get_elements: basic elements, or MPI_UNDEFINED if the last one is cut.
Count count_basic_elements(const Datatype &datatype, Count size_bytes);
// Implements MPI_Status_set_elements: the bytes of the first `basic_elements` basic elements.
Count bytes_of_basic_elements(const Datatype &datatype, Count basic_elements);

} // namespace thrum
