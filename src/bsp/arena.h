// Arena: memory that is freed all at once, at the end of a superstep, and kept for the next. Used
// by one process only, so it has no lock.
#pragma once
#include "base/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace thrum::bsp {

class Arena {
public:
    Arena() = default;

    ~Arena() {
        for (const Chunk &chunk : chunks_)
            std::free(chunk.memory);
    }

    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    // Returns memory aligned to 16 bytes, which lives until reset().
    void *take(size_t size_bytes) {
        size_bytes = (size_bytes + 15) & ~size_t{15};
        while (current_ < chunks_.size() && chunks_[current_].size_bytes - used_ < size_bytes) {
            ++current_;
            used_ = 0;
        }
        if (current_ == chunks_.size())
            add_chunk(size_bytes);
        void *memory = chunks_[current_].memory + used_;
        used_ += size_bytes;
        return memory;
    }

    // Frees everything. The chunks are kept.
    void reset() { current_ = used_ = 0; }

private:
    struct Chunk {
        char *memory;
        size_t size_bytes;
    };

    static constexpr size_t chunk_bytes_min = 4096;

    void add_chunk(size_t size_bytes) {
        size_t bytes = std::max(size_bytes, chunk_bytes_min);
        auto *memory = static_cast<char *>(std::malloc(bytes));
        CHECK(memory, "out of memory for %zu bytes of a superstep", bytes);
        chunks_.push_back({memory, bytes});
        used_ = 0;
    }

    std::vector<Chunk> chunks_;
    size_t current_ = 0; // chunk that is being filled
    size_t used_ = 0;    // bytes of it
};

} // namespace thrum::bsp
