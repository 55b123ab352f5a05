// Which part of a pool of all ranks the caller uses. Each worker has parts of its own, so that
// workers do not fight for a lock, and memory stays in the cache of the core that has used it last.
#pragma once

namespace thrum {

inline constexpr unsigned pool_parts = 64; // more workers share them

// The scheduler's function: returns the number of the calling worker. nullptr: there are no
// workers.
using PoolPartFunction = unsigned();
inline constinit PoolPartFunction *pool_part_function = nullptr; // set before ranks run

inline unsigned pool_part() {
    return pool_part_function ? pool_part_function() % pool_parts : 0;
}

} // namespace thrum
