// How messages to the user name a datatype: "MPI_INT", "datatype "column"", "a struct datatype".
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// Writes at most size_bytes bytes; returns `buffer`.
const char *describe(const Datatype &datatype, char *buffer, size_t size_bytes);

} // namespace thrum
