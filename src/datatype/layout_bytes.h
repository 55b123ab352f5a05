// A datatype's layout as bytes, for another node process, which makes a datatype with the same
// layout from them. That is enough to copy data in and out, but does not tell how the datatype was
// constructed.
#pragma once
#include "datatype/datatype.h"

#include <string>

namespace thrum {

// Appends the description of a datatype to `bytes`. Nodes that a layout shares are written once.
void write_layout(const Datatype &datatype, std::string &bytes);

// Makes a datatype from a description: committed, with one reference. Its bounds are only the
// extent. Ends the process if the description is damaged.
Datatype *read_layout(const char *bytes, size_t size_bytes);

} // namespace thrum
