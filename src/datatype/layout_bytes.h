// How a datatype's data lie, as bytes that travel to another node process, which makes a datatype
// of them that lies the same: enough to copy data in and out, not to tell how it was constructed.
#pragma once
#include "datatype/datatype.h"

#include <string>

namespace thrum {

// Appends the description. Nodes that a layout shares are written once.
void write_layout(const Datatype &datatype, std::string &bytes);

// A committed datatype with one reference; its bounds are the extent alone.
Datatype *read_layout(const char *bytes, size_t size_bytes);

} // namespace thrum
