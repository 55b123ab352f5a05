// Uses of random datatypes against sets of bytes.
#include "check/buffer_use.h"
#include "datatype/testing/random_datatype.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sys/mman.h>

namespace thrum {
namespace {

using testing::RandomDatatypes;

constexpr Count middle = 1 << 20; // where buffers begin, so that negative displacements fit in
std::vector<char> memory(2 * middle);

// A use with the bytes that it names, relative to `memory`.
struct RandomUse {
    BufferUse use;
    std::vector<Count> bytes;

    RandomUse(RandomDatatypes &random, Count at) {
        Datatype *type = random.make(3);
        const Count count = random.number(0, 3);
        use = {memory.data() + at, count, type, BufferAccess::Write};
        bytes = testing::expand(*type, count);
        for (Count &byte : bytes)
            byte += at;
        std::sort(bytes.begin(), bytes.end());
    }

    ~RandomUse() { release(const_cast<Datatype &>(*use.datatype)); }

    RandomUse(const RandomUse &) = delete;
    RandomUse &operator=(const RandomUse &) = delete;
};

TEST(BufferUse, SharesBytesIfTheTypeMapsDo) {
    RandomDatatypes random(testing::test_seed());
    int sharing = 0;
    constexpr int rounds = 3000;
    for (int round = 0; round < rounds; ++round) {
        const RandomUse a(random, middle), b(random, middle + random.number(-60, 60));
        std::vector<Count> common;
        std::set_intersection(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end(),
                              std::back_inserter(common));
        ASSERT_EQ(share_bytes(a.use, b.use), !common.empty()) << "round " << round;
        ASSERT_EQ(share_bytes(b.use, a.use), !common.empty()) << "round " << round;
        sharing += !common.empty();
    }
    EXPECT_GT(sharing, rounds / 20);
    EXPECT_LT(sharing, rounds * 19 / 20);
}

TEST(BufferUse, SpansFromTheFirstByteToTheLast) {
    RandomDatatypes random(testing::test_seed());
    for (int round = 0; round < 1000; ++round) {
        const RandomUse a(random, middle);
        if (a.use.is_empty())
            continue;
        const MemorySpan span = span_of(a.use);
        const auto origin = reinterpret_cast<uintptr_t>(memory.data());
        EXPECT_EQ(static_cast<Count>(span.low - origin), a.bytes.front());
        EXPECT_EQ(static_cast<Count>(span.high - origin), a.bytes.back() + 1);
    }
}

TEST(BufferUse, HasAnotherFingerprintIfAByteOfItsDataChanges) {
    RandomDatatypes random(testing::test_seed());
    for (int round = 0; round < 1000; ++round) {
        const RandomUse a(random, middle);
        if (a.use.is_empty())
            continue;
        const uint64_t before = fingerprint_of(a.use);
        const std::set<Count> own(a.bytes.begin(), a.bytes.end());
        const Count place = random.number(a.bytes.front(), a.bytes.back());
        memory[static_cast<size_t>(place)] ^= 4;
        EXPECT_EQ(fingerprint_of(a.use) != before, own.count(place) > 0);
        memory[static_cast<size_t>(place)] ^= 4;
        EXPECT_EQ(fingerprint_of(a.use), before);
    }
}

TEST(BufferUse, IsMappedUntilItsPagesAreGone) {
    constexpr size_t size_bytes = size_t{3} * 4096;
    void *pages =
        ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    const BufferUse use{static_cast<char *>(pages) + 100, 5000, find_datatype(MPI_BYTE),
                        BufferAccess::Read};
    EXPECT_TRUE(is_mapped(use));
    ::munmap(pages, size_bytes);
    EXPECT_FALSE(is_mapped(use));
}

} // namespace
} // namespace thrum
