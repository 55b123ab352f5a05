// Hints about a file (MPI 5.0 section 14.2.8). Only those are kept, and reported back, that change
// what this library does, beside those that tell a fact.
#pragma once
#include "base/error.h"
#include "comm/info.h"

#include <cstddef>
#include <string>
#include <vector>

namespace thrum {

// The same for all ranks: [SAME] in the standard.
struct Hints {
    bool collective_buffering = true;
    size_t cb_block_bytes = 4 << 20;   // chunks of a collective access, dealt out in turn
    size_t cb_buffer_bytes = 16 << 20; // moved at a time by one aggregator, at most
    int cb_nodes = 0;                  // aggregators; 0: one per worker
    int file_permissions = 0666;       // before the umask
    std::string access_style;          // told to the kernel (posix_fadvise)

    // Takes over what `info` (or nullptr) says in a form that can be understood.
    void update(const Info *info);
};

// [SAME]: an error that names the key if two of these (or nullptr) give a key different values.
Error check_same_hints(const std::vector<const Info *> &infos);

} // namespace thrum
