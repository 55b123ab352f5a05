// How another program holds the ranks of a process that begins later (mpiexec --live, thrum top):
// by a file in the directory of the observations.
#pragma once
#include <cstdint>

namespace thrum::observe {

// How long ranks are held after the other program has last asked for it: it may have been killed.
inline constexpr int64_t hold_ns = 5'000'000'000;

// The file. While it is there, a process holds its ranks from their first call on.
inline constexpr char hold_request_name[] = "hold";

} // namespace thrum::observe
