// When a job counts as one in which all poll in vain.
#include "inspect/poll_watch.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using Seen = PollWatch::Seen;
constexpr int64_t second_ns = 1'000'000'000;

// Looks once a second; returns the second in which the watch speaks, -1: never.
template <class Progress, class SeenAt>
int first_word(int seconds, Progress progress, SeenAt seen) {
    PollWatch watch;
    for (int s = 0; s < seconds; ++s)
        if (watch.add(s * second_ns, progress(s), seen(s)) && watch.some_poll())
            return s;
    return -1;
}

const auto none = [](int) {
    return std::vector<uint32_t>{5, 7};
};

TEST(PollWatch, SpeaksWhenAllPollOrWait) {
    EXPECT_EQ(first_word(30, none, [](int) { return std::vector{Seen::Polls, Seen::Waits}; }), 10);
    EXPECT_EQ(first_word(30, none, [](int) { return std::vector{Seen::Polls, Seen::Ended}; }), 10);
}

TEST(PollWatch, SpeaksAgainAfterProgress) {
    PollWatch watch;
    std::vector<int> first_words;
    bool before = false;
    for (int s = 0; s < 60; ++s) {
        const bool speaks = watch.add(s * second_ns, {s < 30 ? 1U : 2U}, {Seen::Polls});
        if (speaks && !before)
            first_words.push_back(s);
        before = speaks;
    }
    EXPECT_EQ(first_words, (std::vector{10, 40}));
}

TEST(PollWatch, IsSilentIfNobodyPolls) {
    EXPECT_EQ(first_word(60, none, [](int) { return std::vector{Seen::Waits, Seen::Waits}; }), -1);
}

TEST(PollWatch, IsSilentIfARankDoesSomethingElse) {
    EXPECT_EQ(first_word(60, none, [](int) { return std::vector{Seen::Polls, Seen::Other}; }), -1);
    EXPECT_EQ(first_word(60, none,
                         [](int s) {
                             return std::vector{Seen::Polls, s % 3 ? Seen::Other : Seen::Polls};
                         }),
              -1);
}

TEST(PollWatch, BeginsAnewWithEachSuccess) {
    const auto now_and_then = [](int s) {
        return std::vector<uint32_t>{static_cast<uint32_t>(s / 9), 7};
    };
    EXPECT_EQ(
        first_word(90, now_and_then, [](int) { return std::vector{Seen::Polls, Seen::Waits}; }),
        -1);
}

TEST(PollWatch, MayMissAPollingRankNowAndThen) {
    EXPECT_EQ(first_word(60, none,
                         [](int s) {
                             return std::vector{Seen::Polls,
                                                s % 3 == 2 ? Seen::Other : Seen::Polls};
                         }),
              10);
}

TEST(PollingFunctions, AreThoseThatReturnAtOnce) {
    EXPECT_TRUE(is_polling_function("MPI_Test"));
    EXPECT_TRUE(is_polling_function("MPI_Iprobe"));
    EXPECT_FALSE(is_polling_function("MPI_Testament"));
    EXPECT_FALSE(is_polling_function("MPI_Recv"));
}

} // namespace
} // namespace thrum
