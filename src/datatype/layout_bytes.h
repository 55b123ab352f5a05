// A datatype's layout as bytes, for another node process, which makes a datatype with the same
// layout from them. That is enough to copy data in and out, but does not tell how the datatype was
// constructed.
#pragma once
#include "datatype/datatype.h"

#include <string>

namespace thrum {

// Appends the description. Nodes that a layout shares are written once.
void write_layout(const Datatype &datatype, std::string &bytes);

// Makes a committed datatype with one reference. Its bounds are only the extent.
Datatype *read_layout(const char *bytes, size_t size_bytes);

} // namespace thrum
