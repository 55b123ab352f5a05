// Hints of communicators (MPI 5.0 section 7.4.4): the info keys that the library knows. Others are
// ignored, and MPI_Comm_get_info never returns them.
#pragma once
#include "comm/info.h"

#include <string_view>

namespace thrum {

// The kinds of memory that buffers may use (section 11.4.3): everything that this process can
// address.
inline constexpr const char memory_alloc_kinds[] = "mpi,system";

// Returns whether `kind` is one of these, with valid restrictors: "mpi:alloc_mem".
bool is_known_memory_kind(std::string_view kind);

// Copies the known hints of `given` with valid values to `hints`, which is allocated when first
// needed. `given` may be nullptr.
void take_hints(Info *&hints, const Info *given);

// Returns a new info object with the current value of all hints: those in `hints`, which may be
// nullptr, and defaults for the others.
Info *all_hints(const Info *hints);

} // namespace thrum
