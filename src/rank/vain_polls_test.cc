// When a thread shows that it seems to poll for ever.
#include "rank/vain_polls.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr int many = 1000; // polls in a tick, without a pause

Blockage probe_of_tag(int tag) {
    return {.kind = Blockage::Kind::Probe, .tag = tag};
}

class VainPollsTest : public testing::Test {
protected:
    VainPollsTest() {
        allow_livelocks();
        ++call().waits; // begins anew
    }

    static Call &call() { return current_rank_thread().call; }

    static const VainPolls *shown() { return call().polls.load(); }

    // Polls for tags 0 to kinds - 1 in turns.
    static void tick(int polls, int kinds = 1) {
        advance_poll_tick();
        for (int i = 0; i < polls; ++i)
            count_vain_poll([&] { return probe_of_tag(i % kinds); });
    }

    // Returns the number of ticks until it shows its polls; -1: never.
    static int ticks_until_shown(int polls, int kinds = 1) {
        constexpr int ticks_max = 100;
        for (int i = 1; i <= ticks_max; ++i) {
            tick(polls, kinds);
            if (shown())
                return i;
        }
        return -1;
    }
};

TEST_F(VainPollsTest, ShowsThemAfterAWhile) {
    EXPECT_EQ(ticks_until_shown(many), 12); // the first two are news and its tick
    ASSERT_TRUE(shown());
    EXPECT_EQ(shown()->count, 1u);
    EXPECT_TRUE(still_polls(*shown(), call().waits, current_rank_thread().outside_looks));
}

TEST_F(VainPollsTest, HasMorePatienceWithThoseThatPause) {
    EXPECT_EQ(ticks_until_shown(1), 42);
}

TEST_F(VainPollsTest, ShowsAllPollsOfALoop) {
    EXPECT_GT(ticks_until_shown(many, 4), 0);
    ASSERT_TRUE(shown());
    EXPECT_EQ(shown()->count, 4u);
}

TEST_F(VainPollsTest, KnowsNoLoopOfManyKinds) {
    EXPECT_EQ(ticks_until_shown(many, 5), -1);
}

TEST_F(VainPollsTest, BeginsAnewAfterAWait) {
    for (int i = 0; i < 11; ++i)
        tick(many);
    ++call().waits;
    EXPECT_EQ(ticks_until_shown(many), 12);
}

TEST_F(VainPollsTest, BeginsAnewAfterALookOutside) {
    for (int i = 0; i < 11; ++i)
        tick(many);
    count_outside_look();
    EXPECT_EQ(ticks_until_shown(many), 12);
}

TEST_F(VainPollsTest, BeginsAnewAfterTicksWithoutPolls) {
    for (int i = 0; i < 11; ++i)
        tick(many);
    for (int i = 0; i < 3; ++i)
        tick(0);
    EXPECT_EQ(ticks_until_shown(many), 12);
}

// A rank that gets messages by polls pays for few of them.
TEST_F(VainPollsTest, ExaminesFewPollsOfATickWhateverElseHappens) {
    tick(many);
    advance_poll_tick();
    int examined = 0;
    for (int i = 0; i < many; ++i) {
        ++call().waits;
        count_vain_poll([&] {
            ++examined;
            return probe_of_tag(0);
        });
    }
    EXPECT_EQ(examined, 32);
}

TEST_F(VainPollsTest, HidesThemAtTheFirstNewPoll) {
    ASSERT_GT(ticks_until_shown(many), 0);
    tick(1, 1);
    EXPECT_TRUE(shown());
    count_vain_poll([] { return probe_of_tag(7); });
    EXPECT_FALSE(shown());
}

TEST_F(VainPollsTest, OtherRequestsAreOtherPolls) {
    int object;
    void *requests[] = {&object, nullptr};
    const auto test = [&] {
        return Blockage{
            .kind = Blockage::Kind::Requests, .requests_length = 2, .requests = requests};
    };
    const auto tests = [&](int ticks) {
        for (int i = 0; i < ticks; ++i) {
            advance_poll_tick();
            for (int poll = 0; poll < many; ++poll)
                count_vain_poll(test);
        }
    };
    tests(12);
    ASSERT_TRUE(shown());
    EXPECT_EQ(static_cast<void *const *>(shown()->kinds[0].blockage.requests)[0], &object);
    requests[1] = &object;
    tests(1);
    EXPECT_FALSE(shown());
}

} // namespace
} // namespace thrum
