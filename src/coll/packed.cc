#include "coll/packed.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {

PackedCopy::PackedCopy(const Blocks &blocks, int count) : offsets_(static_cast<size_t>(count) + 1) {
    MPI_Count total_bytes = 0;
    for (int i = 0; i < count; ++i) {
        offsets_[static_cast<size_t>(i)] = total_bytes;
        total_bytes += static_cast<MPI_Count>(blocks[i].size_bytes());
    }
    offsets_.back() = total_bytes;
    bytes_.reset(new char[static_cast<size_t>(total_bytes)]);
    for (int i = 0; i < count; ++i)
        pack_block(blocks[i], bytes_.get() + offsets_[static_cast<size_t>(i)]);
}

size_t scatter_room_bytes(int count, size_t total_bytes) {
    return (static_cast<size_t>(count) + 1) * sizeof(size_t) + total_bytes;
}

void pack_scatter(const Blocks &blocks, int count, char *room) {
    auto *offsets = reinterpret_cast<size_t *>(room);
    offsets[0] = scatter_room_bytes(count, 0);
    for (int i = 0; i < count; ++i)
        offsets[i + 1] = offsets[i] + pack_block(blocks[i], room + offsets[i]);
}

Error unpack_allgather(const char *from, size_t size_bytes, const Blocks &receive, int count) {
    size_t left_bytes = size_bytes;
    if (receive.is_one_run() && left_bytes > 0) {
        Block first = receive[0];
        Count all = first.count * count;
        if (left_bytes <= data_bytes(all, *first.type)) {
            unpack_bytes(from, 0, left_bytes, first.address, all, *first.type);
            return success;
        }
    }
    for (int i = 0; i < count && left_bytes > 0; ++i) {
        Block to = receive[i];
        size_t block_bytes = std::min(to.size_bytes(), left_bytes);
        unpack_block(from, block_bytes, to);
        from += block_bytes;
        left_bytes -= block_bytes;
    }
    return left_bytes == 0 ? success
                           : fail(MPI_ERR_TRUNCATE,
                                  "all ranks together send %zu bytes more than "
                                  "recvcount has room for",
                                  left_bytes);
}

} // namespace thrum
