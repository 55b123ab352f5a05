#include "check/overlap.h"

#include "check/finding.h"
#include "comm/call_names.h"
#include "comm/warned_lines.h"
#include "datatype/cursor.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace thrum {

bool elements_overlap(const Datatype &type, Count count) {
    constexpr size_t blocks_max = size_t{1} << 16;
    if (type.contiguous || count <= 0 || type.size_bytes == 0)
        return false;
    if (type.extent >= type.true_extent)
        count = 1;                                       // elements do not reach into each other
    std::vector<std::pair<uintptr_t, uintptr_t>> blocks; // begin and end
    // Displacements may be negative: addresses are counted from the middle.
    const auto *middle = reinterpret_cast<const char *>(uintptr_t{1} << 62);
    for (Cursor cursor(middle, count, type, 0); cursor.blocks() > 0;) {
        const auto address = reinterpret_cast<uintptr_t>(cursor.address());
        for (Count i = 0; i < cursor.blocks(); ++i) {
            const uintptr_t begin = address + static_cast<uintptr_t>(i * cursor.stride());
            blocks.emplace_back(begin, begin + cursor.block_bytes());
            if (blocks.size() > blocks_max)
                return false;
        }
        cursor.skip_blocks(cursor.blocks());
    }
    std::ranges::sort(blocks);
    return std::ranges::adjacent_find(blocks, [](const auto &a, const auto &b) {
               return a.second > b.first;
           }) != blocks.end();
}

void check_elements(const Datatype &type, Count count, const CallPlace &place) {
    if (!elements_overlap(type, count) || !is_first_warning(PairMistake::Elements, place, place))
        return;
    report_finding("rank " + std::to_string(current_rank().world_rank) + ": " +
                   name_of_call(place) +
                   ": elements of the receive datatype overlap, so that what the buffer "
                   "contains is undefined (at " +
                   site_of_call(place) + ")");
}

} // namespace thrum
