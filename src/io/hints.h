// Hints about a file (MPI 5.0 section 14.2.8): parsing, and the comparison of [SAME] keys. Only
// hints that change what this library does are kept and reported back, beside a few that state
// facts (used_info() in file.h).
#pragma once
#include "base/error.h"
#include "comm/info.h"

#include <cstddef>
#include <string>
#include <vector>

namespace thrum {

// The values in effect, the same on all ranks ([SAME] in the standard). Written in collective calls
// only (file.cc).
struct Hints {
    bool collective_buffering = true;  // false: each rank does its own access
    size_t cb_block_bytes = 4 << 20;   // size of the chunks of a collective access
    size_t cb_buffer_bytes = 16 << 20; // limit of what an aggregator moves at a time
    int cb_nodes = 0;                  // aggregators; 0: one per worker, or a default of the file
    int file_permissions = 0666;       // for creation, before the umask
    std::string access_style;          // passed to the kernel (posix_fadvise)

    // Takes over the valid hints of `info`, which may be nullptr; ignores others.
    void update(const Info *info);
};

// Returns an error that names the key if two infos give different values for a [SAME] key. An info
// may be nullptr.
Error check_same_hints(const std::vector<const Info *> &infos);

} // namespace thrum
