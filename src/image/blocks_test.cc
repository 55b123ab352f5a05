#include "image/blocks.h"

#include <gtest/gtest.h>
#include <set>

namespace thrum {
namespace {

GrowingArray<PrivateArea> areas(std::initializer_list<std::pair<uintptr_t, uintptr_t>> ranges) {
    GrowingArray<PrivateArea> result;
    for (auto [low, high] : ranges)
        result.push_back({nullptr, low, high, low, high, low});
    return result;
}

// The copies of all areas for `ranks` ranks at this stride have no byte in common.
bool copies_are_apart(const GrowingArray<PrivateArea> &list, size_t stride, int ranks) {
    std::set<uintptr_t> taken;
    for (int r = 0; r < ranks; ++r)
        for (const PrivateArea &area : list)
            for (uintptr_t a = area.low; a < area.high; ++a)
                if (!taken.insert(a + static_cast<size_t>(r) * stride).second)
                    return false;
    return true;
}

TEST(Blocks, OneAreaIsPackedAsCloseAsItsAlignmentAllows) {
    EXPECT_EQ(choose_stride(areas({{0x4000, 0x4040}}), 64), 64u);
    EXPECT_EQ(choose_stride(areas({{0x4000, 0x4041}}), 64), 128u);
    EXPECT_EQ(choose_stride(areas({{0x4000, 0x4041}}), 4096), 4096u);
}

TEST(Blocks, CopiesOfSeveralAreasNeverMeet) {
    auto near = areas({{0x4000, 0x4100}, {0x4800, 0x4a40}, {0x9040, 0x9080}});
    size_t stride = choose_stride(near, 64);
    ASSERT_NE(stride, 0u);
    EXPECT_LE(stride, 4 * 0x400u);
    EXPECT_TRUE(copies_are_apart(near, stride, 40));
    // Whatever the order, and however far.
    auto far = areas({{0x7f0000004000, 0x7f0000004321}, {0x555000000400, 0x5550000007ff}});
    stride = choose_stride(far, 64);
    ASSERT_NE(stride, 0u);
    EXPECT_TRUE(copies_are_apart(far, stride, 40));
}

} // namespace
} // namespace thrum
