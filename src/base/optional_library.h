// Libraries that only some jobs need: PMIx, libfabric and hwloc.
#pragma once

namespace thrum {

// Loads the machine's library `name`, or else the one that was installed with Thrum: a wheel has
// its own in lib/thrum/bundled. The machine's comes first because it fits the machine's network and
// batch system. Returns nullptr if neither can be loaded; dlerror() tells why.
void *load_optional_library(const char *name);

} // namespace thrum
