// The handlers that a rank has registered for its exit().
#include "libc/exit.h"
#include "libc/testing/ranks.h"

#include <gtest/gtest.h>
#include <vector>

namespace thrum {
namespace {

using testing::override_of;
using testing::run_ranks_with_libc;

using Handler = void(void *);

std::vector<int> calls;
int numbers[] = {0, 1, 2, 3};
char one_object, other_object;

void note(void *number) {
    calls.push_back(*static_cast<int *>(number));
}

void add(Handler *handler, int number, void *object) {
    auto *at_exit = override_of<int(Handler *, void *, void *)>("__cxa_atexit");
    EXPECT_EQ(at_exit(handler, &numbers[number], object), 0);
}

void finalize(void *object) {
    override_of<void(void *)>("__cxa_finalize")(object);
}

class ExitHandlers : public ::testing::Test {
protected:
    void SetUp() override { calls.clear(); }
};

TEST_F(ExitHandlers, TheNewestRunsFirst) {
    run_ranks_with_libc(1, [](Rank &) {
        for (int number : {1, 2, 3})
            add(note, number, nullptr);
        finalize(nullptr);
        EXPECT_EQ(calls, (std::vector<int>{3, 2, 1}));
    });
}

TEST_F(ExitHandlers, AnUnloadedObjectsRunOnceAndAlone) {
    run_ranks_with_libc(1, [](Rank &) {
        add(note, 1, &one_object);
        add(note, 2, &other_object);
        add(note, 3, &one_object);
        finalize(&one_object);
        EXPECT_EQ(calls, (std::vector<int>{3, 1}));
        finalize(&one_object);
        EXPECT_EQ(calls.size(), 2U);
        finalize(nullptr);
        EXPECT_EQ(calls, (std::vector<int>{3, 1, 2}));
    });
}

TEST_F(ExitHandlers, OneThatAHandlerAddsRuns) {
    run_ranks_with_libc(1, [](Rank &) {
        add(
            [](void *number) {
                note(number);
                add(note, 2, nullptr);
            },
            1, nullptr);
        finalize(nullptr);
        EXPECT_EQ(calls, (std::vector<int>{1, 2}));
    });
}

TEST_F(ExitHandlers, BelongToOneRank) {
    run_ranks_with_libc(2, [](Rank &rank) {
        add(note, rank.world_rank, nullptr);
        yield();
        if (rank.world_rank == 2) {
            finalize(nullptr);
            EXPECT_EQ(calls, (std::vector<int>{2}));
        }
    });
}

} // namespace
} // namespace thrum
