#include "check/local_accesses.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr char places[2] = {};

LocalAccess store(uintptr_t low, uintptr_t high, int place = 0, uint64_t fence = 0) {
    return {.span = {low, high},
            .is_store = true,
            .call = {.function = 0, .call_site = &places[place]},
            .epochs = {.fence = fence}};
}

TEST(LocalAccesses, ALoopOverAnArrayIsOneAccess) {
    LocalAccesses accesses;
    for (uintptr_t address = 1000; address < 5000; address += 8) {
        accesses.add(store(address, address + 8, 0), 1);
        accesses.add(store(address + 10000, address + 10008, 1), 1);
    }
    ASSERT_EQ(accesses.recent(1).size(), 2u);
    EXPECT_EQ(accesses.recent(1)[0].span.low, 1000u);
    EXPECT_EQ(accesses.recent(1)[0].span.high, 5000u);
}

TEST(LocalAccesses, AccessesWithAGapStayApart) {
    LocalAccesses accesses;
    accesses.add(store(1000, 1008), 1);
    accesses.add(store(1016, 1024), 1);
    EXPECT_EQ(accesses.recent(1).size(), 2u);
}

TEST(LocalAccesses, WhatTheRankHasToldOrdersWhatWasBefore) {
    LocalAccesses accesses;
    accesses.add(store(1000, 1008), 1);
    EXPECT_TRUE(accesses.recent(2).empty());
    accesses.add(store(1000, 1008), 2);
    accesses.add(store(2000, 2008), 3);
    ASSERT_EQ(accesses.recent(3).size(), 1u);
    EXPECT_EQ(accesses.recent(3)[0].span.low, 2000u);
}

TEST(LocalAccesses, AFenceKeepsThoseOfItsEpochOnly) {
    LocalAccesses accesses;
    accesses.add(store(1000, 1008, 0, 0), 1);
    accesses.add(store(2000, 2008, 0, 5), 1);
    accesses.keep(1, 2, false);
    ASSERT_EQ(accesses.recent(2).size(), 1u);
    EXPECT_EQ(accesses.recent(2)[0].epochs.fence, 5u);
}

TEST(LocalAccesses, TheEndOfTheWindowKeepsAll) {
    LocalAccesses accesses;
    accesses.add(store(1000, 1008, 0, 0), 1);
    accesses.add(store(2000, 2008, 0, 5), 1);
    accesses.keep(1, 2, true);
    EXPECT_EQ(accesses.recent(2).size(), 2u);
}

TEST(LocalAccesses, WhatWasToldBeforeTheFenceIsNotKept) {
    LocalAccesses accesses;
    accesses.add(store(2000, 2008, 0, 5), 1);
    accesses.keep(2, 3, true);
    EXPECT_TRUE(accesses.recent(3).empty());
}

} // namespace
} // namespace thrum
