// Which areas puts and gets may reach, and when registrations count.
#include "base/test_seed.h"
#include "bsp/registration.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace thrum::bsp {
namespace {

char memory[1000];

void expect_number(const Area *area, uint64_t number) {
    ASSERT_NE(area, nullptr);
    EXPECT_EQ(area->number, number);
}

TEST(Registrations, CountFromTheNextSuperstepOn) {
    Registrations registrations;
    registrations.push(memory, 100);
    EXPECT_TRUE(registrations.is_pending(memory));
    EXPECT_FALSE(registrations.is_pending(memory + 1));
    EXPECT_EQ(registrations.find(memory), nullptr);
    registrations.apply();
    EXPECT_FALSE(registrations.is_pending(memory));
    expect_number(registrations.find(memory), 0);
    ASSERT_TRUE(registrations.pop(memory));
    expect_number(registrations.find(memory), 0);
    registrations.apply();
    EXPECT_EQ(registrations.find(memory), nullptr);
}

TEST(Registrations, TheLastOneOfAnAddressCounts) {
    Registrations registrations;
    registrations.push(memory, 100);
    registrations.push(memory, 10);
    registrations.apply();
    expect_number(registrations.find(memory), 1);
    EXPECT_EQ(registrations.find(memory)->size_bytes, 10U);
    ASSERT_TRUE(registrations.pop(memory));
    registrations.apply();
    expect_number(registrations.find(memory), 0);
    EXPECT_EQ(registrations.find(memory)->size_bytes, 100U);
}

TEST(Registrations, OfOneSuperstepAreRemovedTheLastFirst) {
    Registrations registrations;
    registrations.push(memory, 1);
    registrations.apply();
    registrations.push(memory, 2);
    registrations.push(memory, 3);
    ASSERT_TRUE(registrations.pop(memory));
    ASSERT_TRUE(registrations.pop(memory));
    registrations.apply();
    EXPECT_EQ(registrations.find(memory)->size_bytes, 1U);
    ASSERT_TRUE(registrations.pop(memory));
    EXPECT_FALSE(registrations.pop(memory)); // each of them once
    registrations.apply();
    EXPECT_FALSE(registrations.pop(memory));
}

TEST(Registrations, WithoutOneNothingIsRemoved) {
    Registrations registrations;
    EXPECT_FALSE(registrations.pop(memory));
    registrations.push(memory, 100);
    EXPECT_FALSE(registrations.pop(memory + 1));
    EXPECT_TRUE(registrations.pop(memory));
}

TEST(Registrations, AnAreaHoldsAllBytesUpToItsEnd) {
    Registrations registrations;
    registrations.push(memory + 100, 50);
    registrations.push(memory + 120, 10);
    registrations.apply();
    expect_number(registrations.find_containing(memory + 100, 50), 0);
    expect_number(registrations.find_containing(memory + 149, 1), 0);
    expect_number(registrations.find_containing(memory + 120, 10), 1);
    expect_number(registrations.find_containing(memory + 129, 1), 1);
    expect_number(registrations.find_containing(memory + 120, 11), 0);
    expect_number(registrations.find_containing(memory + 150, 0), 0);
    EXPECT_EQ(registrations.find_containing(memory + 99, 2), nullptr);
    EXPECT_EQ(registrations.find_containing(memory + 149, 2), nullptr);
    EXPECT_EQ(registrations.find_containing(memory + 100, 51), nullptr);
    EXPECT_EQ(registrations.find_containing(memory + 100, SIZE_MAX), nullptr);
}

TEST(Registrations, NumbersLeadToTheAreasThatAreLeft) {
    Registrations registrations;
    for (int i = 0; i < 10; ++i)
        registrations.push(memory + i, 1);
    registrations.apply();
    for (int i = 0; i < 10; i += 3)
        ASSERT_TRUE(registrations.pop(memory + i));
    registrations.apply();
    for (unsigned i = 0; i < 12; ++i) {
        const Area *area = registrations.numbered(i);
        ASSERT_EQ(area == nullptr, i % 3 == 0 || i >= 10) << i;
        if (area) {
            EXPECT_EQ(area->address, memory + i);
        }
    }
}

TEST(Registrations, TheDigestTellsWhetherProcessesHaveDoneTheSame) {
    Registrations one, same, fewer, other_order, removed;
    for (Registrations *registrations : {&one, &same, &removed}) {
        registrations->push(memory, 1);
        registrations->push(memory + 1, 2);
    }
    fewer.push(memory, 1);
    EXPECT_EQ(one.digest(), same.digest());
    EXPECT_NE(one.digest(), fewer.digest());
    ASSERT_TRUE(removed.pop(memory));
    EXPECT_NE(one.digest(), removed.digest());
    ASSERT_TRUE(one.pop(memory + 1));
    EXPECT_NE(one.digest(), removed.digest()); // another one is gone
    // Addresses and sizes differ from process to process.
    other_order.push(memory + 500, 77);
    other_order.push(nullptr, 0);
    EXPECT_EQ(other_order.digest(), same.digest());
}

TEST(Registrations, AgreeWithAListThatIsSearched) {
    std::minstd_rand engine(thrum::testing::test_seed());
    Registrations registrations;
    std::vector<Area> areas, pushed; // the model
    std::vector<uint64_t> popped;
    uint64_t next = 0;
    for (int step = 0; step < 3000; ++step) {
        char *address = memory + engine() % 8;
        switch (engine() % 4) {
        case 0:
            registrations.push(address, 5);
            pushed.push_back({address, 5, next++});
            break;
        case 1: {
            std::vector<Area> all = areas;
            all.insert(all.end(), pushed.begin(), pushed.end());
            const Area *last = nullptr;
            for (const Area &area : all)
                if (area.address == address &&
                    !std::count(popped.begin(), popped.end(), area.number))
                    last = &area;
            if (last)
                popped.push_back(last->number);
            ASSERT_EQ(registrations.pop(address), last != nullptr);
            break;
        }
        case 2:
            registrations.apply();
            areas.insert(areas.end(), pushed.begin(), pushed.end());
            std::erase_if(areas, [&](const Area &area) {
                return std::count(popped.begin(), popped.end(), area.number) > 0;
            });
            pushed.clear();
            popped.clear();
            break;
        default: {
            const Area *expected = nullptr, *found = registrations.find(address);
            for (const Area &area : areas)
                if (area.address == address)
                    expected = &area;
            ASSERT_EQ(found == nullptr, expected == nullptr);
            if (found) {
                ASSERT_EQ(found->number, expected->number);
                ASSERT_EQ(registrations.numbered(found->number), found);
            }
        }
        }
    }
}

} // namespace
} // namespace thrum::bsp
