// Memory of a superstep: what is taken stays apart until it is given back all at once.
#include "bsp/arena.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace thrum::bsp {
namespace {

TEST(Arena, PiecesAreAlignedAndDoNotOverlap) {
    Arena arena;
    for (int superstep = 0; superstep < 3; ++superstep) {
        std::vector<std::pair<char *, size_t>> pieces;
        for (size_t i = 0; i < 300; ++i) {
            const size_t size_bytes = i % 50 == 49 ? 9000 + i : i;
            auto *piece = static_cast<char *>(arena.take(size_bytes));
            ASSERT_EQ(reinterpret_cast<uintptr_t>(piece) % 16, 0U);
            std::memset(piece, static_cast<int>(i), size_bytes);
            pieces.emplace_back(piece, size_bytes);
        }
        for (size_t i = 0; i < pieces.size(); ++i)
            for (size_t k = 0; k < pieces[i].second; ++k)
                ASSERT_EQ(pieces[i].first[k], static_cast<char>(i));
        arena.reset();
    }
}

TEST(Arena, KeepsItsMemoryForTheNextSuperstep) {
    Arena arena;
    std::vector<void *> first, second;
    for (std::vector<void *> *taken : {&first, &second}) {
        for (int i = 0; i < 20; ++i)
            taken->push_back(arena.take(1000));
        arena.reset();
    }
    EXPECT_EQ(first, second);
}

TEST(Arena, APieceFillsItsChunkToTheLastByte) {
    Arena arena;
    auto *first = static_cast<char *>(arena.take(16));
    EXPECT_EQ(arena.take(4096 - 16), first + 16);
    const auto *next = static_cast<char *>(arena.take(16));
    EXPECT_TRUE(next < first || next >= first + 4096);
}

TEST(Arena, APieceThatIsLargerThanWhatIsLeftOfAllChunksGetsANewOne) {
    Arena arena;
    void *small = arena.take(100);
    arena.reset();
    auto *large = static_cast<char *>(arena.take(100'000));
    std::memset(large, 1, 100'000);
    EXPECT_NE(small, large);
    arena.reset();
    EXPECT_EQ(arena.take(100), small);
    EXPECT_EQ(arena.take(100'000), large);
}

} // namespace
} // namespace thrum::bsp
