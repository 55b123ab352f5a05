// Exports the description to programs that do not link the core: `thrum info`.
#include "fabric/fabric.h"

#include <cstdio>

extern "C" [[gnu::visibility("default")]] void thrum_debug_describe_fabric(char *text,
                                                                           size_t bytes);

void thrum_debug_describe_fabric(char *text, size_t bytes) {
    std::snprintf(text, bytes, "%s", thrum::fabric_description().c_str());
}
