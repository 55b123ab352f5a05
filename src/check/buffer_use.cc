#include "check/buffer_use.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <sys/mman.h>
#include <vector>

namespace thrum {
namespace {

// More blocks than this are not compared.
constexpr size_t compared_blocks_max = size_t{1} << 20;

// Collects the blocks that meet `window`, in the order of addresses. Returns false if there are too
// many.
bool collect_blocks(const BufferUse &use, const MemorySpan &window,
                    std::vector<MemorySpan> &blocks) {
    size_t visited = 0;
    visit_blocks(use, [&](const char *address, size_t size_bytes) {
        const MemorySpan block = span_of_block(address, size_bytes);
        if (block.meets(window))
            blocks.push_back(block);
        return ++visited <= compared_blocks_max;
    });
    std::sort(blocks.begin(), blocks.end(),
              [](const MemorySpan &a, const MemorySpan &b) { return a.low < b.low; });
    return visited <= compared_blocks_max;
}

// Mixes words into a hash, four at a time: each lane depends only on itself, so the core works on
// all of them at once. A step is a bijection of the lane, and of the word.
class Mixer {
public:
    void add(const char *bytes, size_t size_bytes) {
        for (; size_bytes >= sizeof lanes_; bytes += sizeof lanes_, size_bytes -= sizeof lanes_)
            for (size_t lane = 0; lane < lanes; ++lane)
                add_word(lane, bytes + lane * sizeof(uint64_t), sizeof(uint64_t));
        for (size_t lane = 0; size_bytes > 0; ++lane) {
            const size_t word_bytes = std::min(size_bytes, sizeof(uint64_t));
            add_word(lane, bytes, word_bytes);
            bytes += word_bytes;
            size_bytes -= word_bytes;
        }
    }

    uint64_t hash() const {
        uint64_t hash = 0;
        for (const uint64_t lane : lanes_)
            hash = std::rotl(hash, 17) ^ lane;
        return hash;
    }

private:
    static constexpr size_t lanes = 4;
    static constexpr uint64_t factor = 0x9e3779b97f4a7c15; // odd

    void add_word(size_t lane, const char *bytes, size_t size_bytes) {
        uint64_t word = 0;
        __builtin_memcpy(&word, bytes, size_bytes);
        lanes_[lane] = std::rotl((lanes_[lane] ^ word) * factor, 29);
    }

    uint64_t lanes_[lanes] = {1, 2, 3, 4};
};

} // namespace

// The bounds of the data are those of the first and the last element, whichever is lower.
MemorySpan span_of(const BufferUse &use) {
    const auto first = reinterpret_cast<uintptr_t>(use.address) +
                       static_cast<uintptr_t>(use.datatype->true_lower_bound);
    const uintptr_t last = first + static_cast<uintptr_t>(use.count - 1) *
                                       static_cast<uintptr_t>(use.datatype->extent);
    return use.datatype->extent >= 0
               ? MemorySpan{first, last + static_cast<uintptr_t>(use.datatype->true_extent)}
               : MemorySpan{last, first + static_cast<uintptr_t>(use.datatype->true_extent)};
}

bool share_bytes(const BufferUse &a, const BufferUse &b) {
    if (a.is_empty() || b.is_empty())
        return false;
    const MemorySpan span = span_of(a), other = span_of(b);
    if (!span.meets(other))
        return false;
    if (a.datatype->contiguous && b.datatype->contiguous)
        return true;
    std::vector<MemorySpan> blocks, others;
    if (!collect_blocks(a, other, blocks) || !collect_blocks(b, span, others))
        return false;
    auto block = blocks.cbegin();
    for (const MemorySpan &candidate : others) {
        while (block != blocks.cend() && block->high <= candidate.low)
            ++block;
        if (block == blocks.cend())
            return false;
        if (block->meets(candidate))
            return true;
    }
    return false;
}

uint64_t fingerprint_of(const BufferUse &use) {
    Mixer mixer;
    visit_blocks(use, [&](const char *address, size_t size_bytes) {
        mixer.add(address, size_bytes);
        return true;
    });
    return mixer.hash();
}

// On Linux this flag of msync() makes it look only whether the pages are there.
bool is_mapped(const BufferUse &use) {
    if (use.is_empty() || !use.datatype->contiguous)
        return true;
    constexpr uintptr_t page_bytes = 4096;
    const MemorySpan span = span_of(use);
    const uintptr_t low = span.low & ~(page_bytes - 1);
    return ::msync(reinterpret_cast<void *>(low), span.high - low, MS_ASYNC) == 0 ||
           errno != ENOMEM;
}

} // namespace thrum
