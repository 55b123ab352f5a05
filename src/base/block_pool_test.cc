#include "base/block_pool.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
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

TEST(BlockPool, VisitsAllMemoryWhichIsZeroAtFirst) {
    BlockPool<Wide> pool;
    std::set<void *> taken, visited;
    for (int i = 0; i < 100; ++i) {
        char *memory = static_cast<char *>(pool.take());
        taken.insert(memory);
        // In a free slot the first bytes are a pointer.
        EXPECT_TRUE(std::all_of(memory + sizeof(void *), memory + sizeof(Wide),
                                [](char byte) { return byte == 0; }));
    }
    for (void *memory : {*taken.begin(), *taken.rbegin()})
        pool.give_back(memory);
    pool.for_each([&](void *memory) { EXPECT_TRUE(visited.insert(memory).second); });
    EXPECT_TRUE(std::includes(visited.begin(), visited.end(), taken.begin(), taken.end()));
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
