// Names datatypes in messages to the user: "MPI_INT", "datatype "column"", "a struct datatype".
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// Writes at most size_bytes bytes to `buffer` and returns it.
const char *describe(const Datatype &datatype, char *buffer, size_t size_bytes);

} // namespace thrum
