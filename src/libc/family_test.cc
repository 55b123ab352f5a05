// The states of families: where they lie, and when they are made and destroyed.
#include "libc/family.h"
#include "libc/libc_state.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace thrum {
namespace {

int living = 0;

struct Small {
    char byte = 'x';
};

struct alignas(64) Aligned {
    Aligned() { ++living; }

    ~Aligned() { --living; }

    uint64_t words[3] = {1, 2, 3};
};

struct Shared {
    bool has_thread = false;

    bool is_referred_to() const { return has_thread; }
};

LIBC_STATE(Small, small_of)
LIBC_STATE(Aligned, aligned_of)
LIBC_STATE(Shared, shared_of)

const FunctionOverride table[] = {{"first", nullptr}, {"second", nullptr}};
LIBC_FUNCTIONS(table);

TEST(FamilyState, IsConstructedAndDestroyedWithItsRank) {
    first_libc(); // exists for ever
    const int before = living;
    LibcState &state = make_libc_state();
    EXPECT_EQ(living, before + 1);
    EXPECT_EQ(small_of(state).byte, 'x');
    EXPECT_EQ(aligned_of(state).words[2], 3U);
    delete_libc_state(state);
    EXPECT_EQ(living, before);
}

TEST(FamilyState, IsAlignedAndOverlapsNoOther) {
    LibcState &state = make_libc_state();

    struct Range {
        uintptr_t low, high;
    };

    const auto range_of = [](const auto &object) {
        auto low = reinterpret_cast<uintptr_t>(&object);
        return Range{low, low + sizeof object};
    };
    const Range ranges[] = {range_of(state), range_of(small_of(state)), range_of(aligned_of(state)),
                            range_of(shared_of(state))};
    EXPECT_EQ(ranges[2].low % alignof(Aligned), 0U);
    for (const Range &a : ranges)
        for (const Range &b : ranges)
            EXPECT_TRUE(&a == &b || a.high <= b.low || b.high <= a.low);
    delete_libc_state(state);
}

TEST(FamilyState, BelongsToOneRank) {
    LibcState &one = make_libc_state(), &other = make_libc_state();
    small_of(one).byte = 'y';
    EXPECT_EQ(small_of(other).byte, 'x');
    EXPECT_NE(&small_of(one), &small_of(other));
    delete_libc_state(one);
    delete_libc_state(other);
}

TEST(FamilyState, StaysWhileSomethingRefersToIt) {
    LibcState &state = make_libc_state();
    EXPECT_FALSE(states_are_referred_to(state));
    shared_of(state).has_thread = true;
    EXPECT_TRUE(states_are_referred_to(state));
    delete_libc_state(state);
}

TEST(FamilyFunctions, AreCollectedFromAllTables) {
    FunctionOverride functions[1024];
    const size_t count = collect_functions(functions, std::size(functions));
    int found = 0;
    for (size_t i = 0; i < count; ++i)
        found +=
            !std::strcmp(functions[i].name, "first") || !std::strcmp(functions[i].name, "second");
    EXPECT_EQ(found, 2);
}

TEST(FamilyFunctionsDeathTest, MoreThanThereIsRoomForAreRefused) {
    FunctionOverride one[1];
    EXPECT_DEATH(collect_functions(one, 1), "count_max");
}

} // namespace
} // namespace thrum
