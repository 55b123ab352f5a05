// How another program holds the ranks of a process that begins later (mpiexec --live, thrum top):
// by a file in the directory of the observations. It touches the file again and again, because it
// may be killed.
#pragma once
#include <cstdint>

namespace thrum::observe {

// How long ranks are held after the other program has last asked for it.
inline constexpr int64_t hold_ns = 5'000'000'000;

// The name of the file.
inline constexpr char hold_request_name[] = "hold";

// Returns for how long the ranks of a process that begins now are to be held; 0: not at all.
int64_t requested_hold_ns(const char *directory);

} // namespace thrum::observe
