// Overlapping elements, against the set of the bytes.
#include "check/overlap.h"
#include "datatype/testing/random_datatype.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace thrum {
namespace {

TEST(Overlap, IsFoundIfAByteAppearsTwice) {
    testing::RandomDatatypes random(testing::test_seed());
    constexpr int rounds = 3000;
    int overlapping = 0;
    for (int round = 0; round < rounds; ++round) {
        Datatype *type = random.make(3);
        const Count count = random.number(0, 3);
        const std::vector<Count> bytes = testing::expand(*type, count);
        const bool repeats = std::set<Count>(bytes.begin(), bytes.end()).size() < bytes.size();
        ASSERT_EQ(elements_overlap(*type, count), repeats) << "round " << round;
        overlapping += repeats;
        release(*type);
    }
    EXPECT_GT(overlapping, rounds / 100);
}

} // namespace
} // namespace thrum
