#include "check/marked_lines.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace thrum {
namespace {

constexpr int line_bits = 6, index_bits = 20; // compiler/check/look.h has them, too

constinit std::atomic<bool> is_watched{false};

// Written by all ranks, read by their programs. No array of atomics: GCC and clang would evaluate a
// million constructors.
uint32_t marks[size_t{1} << index_bits];

} // namespace

const uint32_t *watch_lines() {
    is_watched.store(true, std::memory_order_relaxed);
    return marks;
}

bool lines_are_watched() {
    return is_watched.load(std::memory_order_relaxed);
}

void mark_lines(const BufferUse &use, int change) {
    visit_blocks(use, [&](const char *address, size_t size_bytes) {
        const MemorySpan block = span_of_block(address, size_bytes);
        const uintptr_t first = block.low >> line_bits;
        const uintptr_t lines = ((block.high - 1) >> line_bits) - first + 1;
        for (uintptr_t i = 0; i < std::min(lines, std::size(marks)); ++i)
            std::atomic_ref(marks[(first + i) % std::size(marks)])
                .fetch_add(static_cast<uint32_t>(change), std::memory_order_relaxed);
        return true;
    });
}

} // namespace thrum
