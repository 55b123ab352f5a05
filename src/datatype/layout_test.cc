// Compares random datatypes with a reference that expands the type map byte by byte, and checks the
// invariants of the normal form.
#include "datatype/copy_range.h"
#include "datatype/cursor.h"
#include "datatype/layout.h"
#include "datatype/testing/random_datatype.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace thrum;
using namespace thrum::testing;

namespace {

// A buffer around address 0 of `count` elements, filled with bytes that identify their place.
struct Buffer {
    std::vector<unsigned char> bytes;
    Count low = 0;

    Buffer(const std::vector<Count> &map, unsigned salt) {
        Count high = 1;
        for (Count place : map) {
            low = std::min(low, place);
            high = std::max(high, place + 1);
        }
        bytes.resize(static_cast<size_t>(high - low));
        for (size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<unsigned char>((i * 167 + salt) ^ (i >> 8));
    }

    unsigned char *origin() { return bytes.data() - low; }

    unsigned char &at(Count place) { return bytes[static_cast<size_t>(place - low)]; }
};

bool has_duplicates(std::vector<Count> map) {
    std::sort(map.begin(), map.end());
    return std::adjacent_find(map.begin(), map.end()) != map.end();
}

std::vector<unsigned char> reference_pack(Buffer &buffer, const std::vector<Count> &map) {
    std::vector<unsigned char> packed;
    for (Count place : map)
        packed.push_back(buffer.at(place));
    return packed;
}

// Returns the first place where they differ, or -1; tests print this instead of two long vectors.
long first_difference(const std::vector<unsigned char> &a, const std::vector<unsigned char> &b) {
    if (a.size() != b.size())
        return static_cast<long>(std::min(a.size(), b.size()));
    auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    return x == a.end() ? -1 : x - a.begin();
}

constexpr int rounds = 3000;

Datatype &predefined(MPI_Datatype handle) {
    return *find_datatype(handle);
}

} // namespace

TEST(Layout, PackingIsTheTypeMapExpanded) {
    RandomDatatypes random(test_seed());
    for (int round = 0; round < rounds; ++round) {
        Datatype *type = random.make(5);
        Count count = random.number(0, 9);
        std::vector<Count> map = expand(*type, count);
        ASSERT_EQ(map.size(), data_bytes(count, *type));
        Buffer buffer(map, 1);
        std::vector<unsigned char> packed(map.size());
        pack_bytes(buffer.origin(), count, *type, 0, packed.size(), packed.data());
        ASSERT_EQ(first_difference(packed, reference_pack(buffer, map)), -1) << "round " << round;
        release(*type);
    }
}

TEST(Layout, PackingInRandomSegmentsEqualsPackingAtOnce) {
    RandomDatatypes random(test_seed() + 1);
    for (int round = 0; round < rounds; ++round) {
        Datatype *type = random.make(5);
        Count count = random.number(1, 9);
        std::vector<Count> map = expand(*type, count);
        Buffer buffer(map, 2);
        std::vector<unsigned char> packed(map.size());
        for (size_t offset = 0; offset < packed.size();) {
            auto rest = static_cast<Count>(packed.size() - offset);
            auto piece = static_cast<size_t>(random.number(1, std::min<Count>(rest, 40)));
            pack_bytes(buffer.origin(), count, *type, offset, piece, packed.data() + offset);
            offset += piece;
        }
        ASSERT_EQ(first_difference(packed, reference_pack(buffer, map)), -1) << "round " << round;
        release(*type);
    }
}

TEST(Layout, UnpackingInRandomSegmentsWritesTheBytesOfTheTypeAndNoOthers) {
    RandomDatatypes random(test_seed() + 2);
    int tried = 0;
    for (int round = 0; round < rounds; ++round) {
        Datatype *type = random.make(5);
        Count count = random.number(1, 9);
        std::vector<Count> map = expand(*type, count);
        if (!has_duplicates(map)) { // a receive buffer must not overlap itself
            ++tried;
            Buffer buffer(map, 3);
            Buffer expected(map, 3);
            std::vector<unsigned char> packed(map.size());
            for (size_t i = 0; i < map.size(); ++i)
                expected.at(map[i]) = packed[i] = static_cast<unsigned char>(random.number(0, 255));
            for (size_t offset = 0; offset < packed.size();) {
                auto rest = static_cast<Count>(packed.size() - offset);
                auto piece = static_cast<size_t>(random.number(1, rest));
                unpack_bytes(packed.data() + offset, offset, piece, buffer.origin(), count, *type);
                offset += piece;
            }
            ASSERT_EQ(first_difference(buffer.bytes, expected.bytes), -1) << "round " << round;
        }
        release(*type);
    }
    EXPECT_GT(tried, rounds / 10);
}

TEST(Layout, TypedCopyMovesTheNthByteOfOneTypeMapToTheNthOfTheOther) {
    RandomDatatypes random(test_seed() + 3);
    int tried = 0;
    for (int round = 0; round < rounds * 2; ++round) {
        Datatype *from = random.make(5);
        Datatype *to = random.number(0, 3) ? random.make(5) : from; // often both sides agree
        if (to == from)
            retain(*to);
        Count from_count = random.number(0, 9);
        Count to_count = random.number(0, 9);
        std::vector<Count> from_map = expand(*from, from_count);
        std::vector<Count> to_map = expand(*to, to_count);
        if (!has_duplicates(to_map)) {
            ++tried;
            Buffer source(from_map, 4);
            Buffer destination(to_map, 5);
            Buffer expected(to_map, 5);
            size_t moved = std::min(from_map.size(), to_map.size());
            for (size_t i = 0; i < moved; ++i)
                expected.at(to_map[i]) = source.at(from_map[i]);
            ASSERT_EQ(moved, copy_typed(source.origin(), from_count, *from, destination.origin(),
                                        to_count, *to));
            ASSERT_EQ(first_difference(destination.bytes, expected.bytes), -1) << "round " << round;
        }
        release(*from);
        release(*to);
    }
    EXPECT_GT(tried, rounds / 10);
}

TEST(Layout, RangedTypedCopyMovesOnlyItsPartOfThePackedForm) {
    RandomDatatypes random(test_seed() + 9);
    int tried = 0;
    for (int round = 0; round < rounds * 2; ++round) {
        Datatype *from = random.make(5);
        Datatype *to = random.make(5);
        Count from_count = random.number(0, 9);
        Count to_count = random.number(0, 9);
        std::vector<Count> from_map = expand(*from, from_count);
        std::vector<Count> to_map = expand(*to, to_count);
        if (!has_duplicates(to_map)) {
            ++tried;
            Buffer source(from_map, 4);
            Buffer destination(to_map, 5);
            Buffer expected(to_map, 5);
            auto common = static_cast<Count>(std::min(from_map.size(), to_map.size()));
            auto begin = static_cast<size_t>(random.number(0, common));
            auto end = static_cast<size_t>(random.number(static_cast<Count>(begin), common));
            for (size_t i = begin; i < end; ++i)
                expected.at(to_map[i]) = source.at(from_map[i]);
            copy_typed_range({source.origin(), from_count, *from},
                             {destination.origin(), to_count, *to}, begin, end - begin);
            ASSERT_EQ(first_difference(destination.bytes, expected.bytes), -1) << "round " << round;
        }
        release(*from);
        release(*to);
    }
    EXPECT_GT(tried, rounds / 10);
}

TEST(Layout, TrueExtentSpansExactlyTheBytesOfTheTypeMap) {
    RandomDatatypes random(test_seed() + 4);
    for (int round = 0; round < rounds; ++round) {
        Datatype *type = random.make(5);
        std::vector<Count> map = expand(*type, 1);
        if (!map.empty()) {
            auto [low, high] = std::minmax_element(map.begin(), map.end());
            ASSERT_EQ(type->true_lower_bound, *low);
            ASSERT_EQ(type->true_extent, *high + 1 - *low);
        }
        release(*type);
    }
}

TEST(Layout, ContiguousMeansThatByteNOfTheDataIsByteNOfTheBuffer) {
    RandomDatatypes random(test_seed() + 5);
    int contiguous = 0;
    for (int round = 0; round < rounds; ++round) {
        Datatype *type = random.make(3);
        std::vector<Count> map = expand(*type, 3);
        bool dense = !map.empty();
        for (size_t i = 0; i < map.size(); ++i)
            dense = dense && map[i] == static_cast<Count>(i);
        ASSERT_EQ(type->contiguous, dense) << "round " << round;
        contiguous += dense;
        release(*type);
    }
    EXPECT_GT(contiguous, 10);
}

TEST(Layout, AVectorOfAMillionBlocksIsOneRun) {
    Datatype *vector;
    ASSERT_FALSE(new_vector(1'000'000, 2, 5, predefined(MPI_DOUBLE), vector));
    ASSERT_EQ(vector->layout->kind, Layout::Kind::Run);
    EXPECT_EQ(vector->layout->count, 1'000'000);
    EXPECT_EQ(vector->layout->block_bytes, 16);
    EXPECT_EQ(vector->layout->stride, 40);
    release(*vector);
}

TEST(Layout, ARegularIndexedListIsOneRun) {
    std::vector<Count> places;
    for (Count i = 0; i < 1000; ++i)
        places.push_back(i * 7);
    Datatype *type;
    ASSERT_FALSE(new_indexed_block(1000, 3, places.data(), predefined(MPI_INT), type));
    ASSERT_EQ(type->layout->kind, Layout::Kind::Run);
    EXPECT_EQ(type->layout->count, 1000);
    release(*type);
}

TEST(Layout, AWholeSubarrayIsContiguous) {
    Count sizes[] = {4, 5, 6};
    Count starts[] = {0, 0, 0};
    Datatype *type;
    ASSERT_FALSE(new_subarray(3, sizes, sizes, starts, MPI_ORDER_C, predefined(MPI_INT), type));
    EXPECT_TRUE(type->contiguous);
    EXPECT_EQ(type->extent, 480);
    release(*type);
}

TEST(Layout, ChainsOfAHundredThousandDatatypesNeedNoRecursion) {
    Datatype *type = &predefined(MPI_INT);
    for (int i = 0; i < 100'000; ++i) {
        Datatype *next;
        ASSERT_FALSE(i % 2 ? new_duplicate(*type, next) : new_resized(*type, 0, 8, next));
        release(*type);
        type = next;
    }
    int data[] = {1, 2, 3, 4};
    int packed[2];
    pack_bytes(data, 2, *type, 0, sizeof packed, packed);
    EXPECT_EQ(packed[0], 1);
    EXPECT_EQ(packed[1], 3);
    release(*type);
}

TEST(Layout, DeepStructsStayWithinTheDepthLimit) {
    Datatype *type = &predefined(MPI_SHORT);
    for (int i = 0; i < 300; ++i) {
        // Every tenth element is a loop of the structs so far, which cannot be flattened.
        Count lengths[] = {1, i % 10 == 0 && i < 100 ? 2 : 1};
        Count places[] = {0, 4};
        Datatype *types[] = {&predefined(MPI_CHAR), type};
        Datatype *next;
        ASSERT_FALSE(new_struct(2, lengths, places, types, next));
        release(*type);
        type = next;
        ASSERT_LE(type->layout->depth, layout_depth_max);
    }
    std::vector<Count> map = expand(*type, 1);
    Buffer buffer(map, 6);
    std::vector<unsigned char> packed(map.size());
    pack_bytes(buffer.origin(), 1, *type, 0, packed.size(), packed.data());
    EXPECT_EQ(packed, reference_pack(buffer, map));
    release(*type);
}

TEST(Layout, EveryLoopIsOneLevelOfDepth) {
    Datatype *type;
    ASSERT_FALSE(new_hvector(2, 1, 8, predefined(MPI_INT), type));
    EXPECT_EQ(type->layout->depth, 0);
    for (int depth = 1; depth <= 20; ++depth) {
        Datatype *next;
        ASSERT_FALSE(new_hvector(2, 1, 3 * type->true_extent, *type, next));
        release(*type);
        type = next;
        EXPECT_EQ(type->layout->kind, Layout::Kind::Loop);
        EXPECT_EQ(type->layout->depth, depth);
    }
    release(*type);
}

// The fast path of copies takes many blocks of such a list at once.
TEST(Layout, AListKnowsWhetherAllItsEntriesAreBlocks) {
    const Count lengths[] = {1, 2, 1}, places[] = {0, 3, 9};
    Datatype *blocks, *loop, *pieces;
    ASSERT_FALSE(new_indexed(3, lengths, places, predefined(MPI_INT), blocks));
    ASSERT_EQ(blocks->layout->kind, Layout::Kind::List);
    EXPECT_TRUE(blocks->layout->only_blocks);
    ASSERT_FALSE(new_vector(9, 1, 2, predefined(MPI_INT), loop));
    const Count ones[] = {1, 1, 1}, bytes[] = {0, 5, 200};
    Datatype *types[] = {&predefined(MPI_CHAR), &predefined(MPI_INT), loop};
    ASSERT_FALSE(new_struct(3, ones, bytes, types, pieces));
    ASSERT_EQ(pieces->layout->kind, Layout::Kind::List);
    EXPECT_FALSE(pieces->layout->only_blocks);
    for (Datatype *type : {blocks, loop, pieces})
        release(*type);
}

TEST(Layout, ACursorAtOrBehindTheEndHasNothingLeft) {
    Datatype *vector, *pieces;
    ASSERT_FALSE(new_vector(3, 1, 2, predefined(MPI_INT), vector));
    const Count lengths[] = {1, 1, 2}, places[] = {0, 3, 9};
    ASSERT_FALSE(new_indexed(3, lengths, places, predefined(MPI_INT), pieces));
    char buffer[400];
    for (const Datatype *type : {vector, pieces, &predefined(MPI_INT)})
        for (Count count : {0, 1, 3}) {
            const auto size_bytes = static_cast<size_t>(count * type->size_bytes);
            for (size_t offset : {size_bytes, size_bytes + 1, size_bytes + 1000}) {
                const Cursor cursor(buffer, count, *type, offset);
                EXPECT_EQ(cursor.blocks(), 0);
            }
            if (count > 0) {
                const Cursor cursor(buffer, count, *type, size_bytes - 1);
                EXPECT_EQ(cursor.blocks(), 1);
                EXPECT_EQ(cursor.left(), 1U);
            }
        }
    release(*vector);
    release(*pieces);
}

TEST(Layout, AbsoluteAddressesWorkFromMpiBottom) {
    int a = 11;
    double b = 2.5;
    Count lengths[] = {1, 1};
    Count places[] = {reinterpret_cast<Count>(&a), reinterpret_cast<Count>(&b)};
    Datatype *types[] = {&predefined(MPI_INT), &predefined(MPI_DOUBLE)};
    Datatype *type;
    ASSERT_FALSE(new_struct(2, lengths, places, types, type));
    char packed[12];
    pack_bytes(MPI_BOTTOM, 1, *type, 0, sizeof packed, packed);
    a = 0;
    b = 0;
    unpack_bytes(packed, 0, sizeof packed, MPI_BOTTOM, 1, *type);
    EXPECT_EQ(a, 11);
    EXPECT_EQ(b, 2.5);
    release(*type);
}

TEST(Layout, DatatypesThatShareALayoutRepeatEachAtItsOwnExtent) {
    Count holes[] = {0, 3}, ones[] = {1, 1};
    Datatype *holed, *narrow, *wide, *both;
    ASSERT_FALSE(new_indexed(2, ones, holes, predefined(MPI_BYTE), holed));
    ASSERT_FALSE(new_resized(*holed, 0, 5, narrow));
    ASSERT_FALSE(new_resized(*holed, 0, 9, wide));
    Count twice[] = {2, 2}, places[] = {0, 20};
    Datatype *types[] = {narrow, wide};
    ASSERT_FALSE(new_struct(2, twice, places, types, both));
    std::vector<unsigned char> bytes(40), packed(8);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(i);
    pack_bytes(bytes.data(), 1, *both, 0, packed.size(), packed.data());
    EXPECT_EQ(packed, (std::vector<unsigned char>{0, 3, 5, 8, 20, 23, 29, 32}));
    for (Datatype *type : {holed, narrow, wide, both})
        release(*type);
}
