// Data of several members packed one after the other in memory of the library's own.
#pragma once
#include "base/error.h"
#include "coll/blocks.h"

#include <cstring>
#include <memory>
#include <vector>

namespace thrum {

// Packs `block` at `to`, which has room for it; returns its bytes.
inline size_t pack_block(const Block &block, char *to) {
    size_t size_bytes = block.size_bytes();
    if (size_bytes > 0)
        pack_bytes(block.address, block.count, *block.type, 0, size_bytes, to);
    return size_bytes;
}

// Unpacks as much of `size_bytes` at `from` as fits.
inline void unpack_block(const char *from, size_t size_bytes, const Block &block) {
    size_t room_bytes = block.size_bytes();
    if (room_bytes < size_bytes)
        size_bytes = room_bytes;
    if (size_bytes > 0)
        unpack_bytes(from, 0, size_bytes, block.address, block.count, *block.type);
}

// A copy of blocks [0, count), packed.
class PackedCopy {
public:
    PackedCopy(const Blocks &blocks, int count);

    Blocks blocks() const { return Blocks::of_packed(bytes_.get(), offsets_.data()); }

private:
    std::unique_ptr<char[]> bytes_;
    std::vector<MPI_Count> offsets_;
};

// What a small MPI_Scatter leaves for its receivers: offsets of the blocks, then the blocks.
size_t scatter_room_bytes(int count, size_t total_bytes);
void pack_scatter(const Blocks &blocks, int count, char *room);

inline size_t scattered_bytes(const char *room, int rank) {
    auto *offsets = reinterpret_cast<const size_t *>(room);
    return offsets[rank + 1] - offsets[rank];
}

inline const char *scattered_block(const char *room, int rank) {
    return room + reinterpret_cast<const size_t *>(room)[rank];
}

// What a small MPI_Allgather has collected, `size_bytes` of it, into the blocks of `count` ranks.
Error unpack_allgather(const char *from, size_t size_bytes, const Blocks &receive, int count);

} // namespace thrum
