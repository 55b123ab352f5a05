// The largest job of which causality is tracked (check/causality.h). mpiexec reads it, too.
#pragma once

namespace thrum {

inline constexpr int causality_ranks_max = 512;

} // namespace thrum
