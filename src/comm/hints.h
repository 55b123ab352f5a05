// Hints of communicators (MPI 5.0 section 7.4.4): the info keys that the library knows. Others are
// ignored, hence never returned by MPI_Comm_get_info.
#pragma once
#include "comm/info.h"

#include <string_view>

namespace thrum {

// The kinds of memory that buffers may be of (section 11.4.3): all that this process can address.
inline constexpr const char memory_alloc_kinds[] = "mpi,system";

// Whether `kind`, with its restrictors, is one of them: "mpi:alloc_mem".
bool is_known_memory_kind(std::string_view kind);

// Copies the hints of `given` that are known, and whose values make sense, into `hints`, which is
// made when first needed. `given` may be nullptr.
void take_hints(Info *&hints, const Info *given);

// A new info object with the current setting of all hints: `hints`, which may be nullptr, and the
// defaults of those that were not set.
Info *all_hints(const Info *hints);

} // namespace thrum
