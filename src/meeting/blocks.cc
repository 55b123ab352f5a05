// Copies of blocks in packed form.
#include "meeting/blocks.h"

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

} // namespace thrum
