#include "base/block_pool.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using thrum::BlockPool;

struct alignas(64) Wide {
    char bytes[192];
};

TEST(BlockPool, ReusesMemoryBeforeItAllocates) {
    BlockPool<Wide> pool;
    void *first = pool.take();
    pool.give_back(first);
    EXPECT_EQ(pool.take(), first);
}

TEST(BlockPool, GivesAlignedMemoryThatDoesNotOverlap) {
    BlockPool<Wide> pool;
    std::vector<char *> taken;
    for (int i = 0; i < 5000; ++i) {
        taken.push_back(static_cast<char *>(pool.take()));
        ASSERT_EQ(reinterpret_cast<uintptr_t>(taken.back()) % alignof(Wide), 0u);
        std::memset(taken.back(), i % 251, sizeof(Wide));
    }
    for (int i = 0; i < 5000; ++i)
        for (char byte : {taken[i][0], taken[i][sizeof(Wide) - 1]})
            ASSERT_EQ(static_cast<unsigned char>(byte), i % 251);
}
