// Random spans against a search of all of them.
#include "base/testing/seed.h"
#include "check/span_index.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace thrum {
namespace {

class RandomSpans {
public:
    explicit RandomSpans(unsigned seed) : engine_(seed) {}

    MemorySpan make() {
        const auto low = number(0, 5000);
        return {low, low + (uintptr_t{1} << number(0, 10)) + number(0, 3)};
    }

    uintptr_t number(uintptr_t low, uintptr_t high) {
        return std::uniform_int_distribution<uintptr_t>(low, high)(engine_);
    }

private:
    std::mt19937 engine_;
};

TEST(SpanIndex, FindsAllSpansThatMeetAnother) {
    RandomSpans random(testing::test_seed());
    SpanIndex<size_t> index;
    std::vector<MemorySpan> spans;
    std::vector<SpanIndex<size_t>::Place> places;
    std::set<size_t> present;
    for (size_t i = 0; i < 500; ++i) {
        spans.push_back(random.make());
        places.push_back(index.add(spans.back(), i));
        present.insert(i);
        if (random.number(0, 2) == 0) {
            const size_t taken = *present.begin();
            EXPECT_EQ(index.take(places[taken]), taken);
            present.erase(taken);
        }
        const MemorySpan wanted = random.make();
        std::set<size_t> found;
        index.visit_near(wanted, [&](size_t thing) {
            if (spans[thing].meets(wanted))
                found.insert(thing);
            return true;
        });
        std::set<size_t> expected;
        for (const size_t thing : present)
            if (spans[thing].meets(wanted))
                expected.insert(thing);
        ASSERT_EQ(found, expected) << "round " << i;
        EXPECT_EQ(index.size(), present.size());
    }
}

TEST(SpanIndex, FindsASpanThatBeginsAtTheLowestAddress) {
    SpanIndex<int> index;
    index.add({0, 1024}, 1);
    int visits = 0;
    index.visit_near({500, 501}, [&](int) {
        ++visits;
        return true;
    });
    EXPECT_EQ(visits, 1);
}

TEST(SpanIndex, EndsALookUpAmongManySpans) {
    SpanIndex<int> index;
    for (int i = 0; i < 5000; ++i)
        index.add({100, 200}, i);
    int visits = 0;
    index.visit_near({150, 151}, [&](int) {
        ++visits;
        return true;
    });
    EXPECT_EQ(visits, 1000);
}

} // namespace
} // namespace thrum
