// Names of calls of MPI functions, for warnings and errors that tell of more calls than the one
// that reports. A layer above knows functions and source lines.
#pragma once
#include "rank/rank.h"

#include <cstdint>
#include <string>

namespace thrum {

// What a layer above knows about calls. Returns the name of a function.
using CallNameFunction = const char *(unsigned function);
// Writes where a call is: "a.c:10 in main".
using CallSiteFunction = const char *(const void *call_site, char *buffer, size_t size_bytes);
// Returns the same number for the same source line of all ranks.
using CallSiteNumberFunction = uint64_t(const void *call_site);

struct CallNames {
    CallNameFunction *name;
    CallSiteFunction *site;
    CallSiteNumberFunction *number;
};

void set_call_names(const CallNames &names);

[[gnu::cold]] std::string name_of_call(const CallPlace &place); // "MPI_Send"
[[gnu::cold]] std::string site_of_call(const CallPlace &place); // "a.c:10 in main"
[[gnu::cold]] uint64_t number_of_call(const CallPlace &place);  // 0: unknown

} // namespace thrum
