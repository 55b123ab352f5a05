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
// Convert between a call site and its code, which other node processes understand.
using CallSiteCodeFunction = uint64_t(const void *call_site);
using CallSiteOfCodeFunction = const void *(uint64_t code);

struct CallNames {
    CallNameFunction *name;
    CallSiteFunction *site;
    CallSiteNumberFunction *number;
    CallSiteCodeFunction *code;
    CallSiteOfCodeFunction *site_of_code;
};

void set_call_names(const CallNames &names);

[[gnu::cold]] std::string name_of_call(const CallPlace &place); // "MPI_Send"
[[gnu::cold]] std::string site_of_call(const CallPlace &place); // "a.c:10 in main"
[[gnu::cold]] uint64_t number_of_call(const CallPlace &place);  // 0: unknown

// A code says to another node process where a call is: in which file, and at which offset. It has
// 56 bits, so that a message has room for it beside a byte. 0: unknown.
inline constexpr int call_code_bits = 56;

// Returns the code of a call. It is remembered, as collective operations need it each time.
uint64_t code_of_call(const CallPlace &place);
// Returns a call site of this process that stands for the one with this code; nullptr: unknown.
[[gnu::cold]] const void *call_site_of(uint64_t code);

} // namespace thrum
