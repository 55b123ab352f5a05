// Tasks that sleep in the kernel while others of their worker run.
#include "fiber/blocking_call.h"
#include "fiber/completion.h"
#include "fiber/sanitizer.h"
#include "fiber/team.h"

#include <cerrno>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

void run(int count, const TeamOptions &options, const std::function<void(int)> &function) {
    std::vector<std::unique_ptr<Task>> tasks;
    std::vector<Task *> pointers;
    for (int i = 0; i < count; ++i) {
        tasks.push_back(std::make_unique<Task>());
        pointers.push_back(tasks.back().get());
    }
    auto call = [](void *argument, int index) {
        (*static_cast<const std::function<void(int)> *>(argument))(index);
    };
    run_team(count, pointers.data(), call, const_cast<std::function<void(int)> *>(&function),
             options);
}

struct Pipe {
    int ends[2];

    Pipe() { EXPECT_EQ(::pipe(ends), 0); }

    ~Pipe() {
        ::close(ends[0]);
        ::close(ends[1]);
    }

    char get() const {
        char byte = 0;
        EXPECT_EQ(::read(ends[0], &byte, 1), 1);
        return byte;
    }

    void put(char byte) const { EXPECT_EQ(::write(ends[1], &byte, 1), 1); }
};

class OnAnyWorkers : public ::testing::TestWithParam<TeamOptions> {};

INSTANTIATE_TEST_SUITE_P(Layers, OnAnyWorkers,
                         ::testing::Values(TeamOptions{1, false, 256 << 10},
                                           TeamOptions{2, false, 256 << 10},
                                           TeamOptions{0, true, 256 << 10}));

TEST_P(OnAnyWorkers, PairsTalkOverPipes) {
    constexpr int pairs = 5, rounds = 300;
    std::vector<Pipe> there(pairs), back(pairs);
    run(2 * pairs, GetParam(), [&](int index) {
        auto pair = static_cast<size_t>(index / 2);
        for (int round = 0; round < rounds; ++round) {
            auto byte = static_cast<char>(round);
            BlockingCall call;
            if (index % 2) {
                there[pair].put(byte);
                call.enter("read");
                EXPECT_EQ(back[pair].get(), byte);
            } else {
                call.enter("read");
                EXPECT_EQ(there[pair].get(), byte);
                call.leave();
                back[pair].put(byte);
            }
        }
    });
    EXPECT_EQ(tasks_in_blocking_calls(), 0);
}

TEST_P(OnAnyWorkers, AllTasksMayBlockAtATime) {
    constexpr int count = 100;
    Pipe pipe;
    run(count + 1, GetParam(), [&](int index) {
        if (index == count) {
            for (int i = 0; i < count; ++i)
                pipe.put('x');
        } else {
            BlockingCall call;
            call.enter("read");
            EXPECT_EQ(pipe.get(), 'x');
        }
    });
}

TEST_P(OnAnyWorkers, AnErrorNumberSurvivesTheWayBack) {
    if (!sanitizer::own_thread_blocks)
        GTEST_SKIP() << "errno is the worker's in sanitizer builds";
    run(3, GetParam(), [&](int) {
        for (int i = 0; i < 50; ++i) {
            errno = 0;
            {
                BlockingCall call;
                call.enter("read");
                EXPECT_EQ(::read(-1, nullptr, 0), -1);
            }
            EXPECT_EQ(errno, EBADF);
        }
    });
}

// As of a library that makes its system call itself: nobody is told.
TEST_P(OnAnyWorkers, AWorkerThatSleepsUnannouncedIsRelieved) {
    constexpr int pairs = 3, rounds = 4;
    std::vector<Pipe> there(pairs), back(pairs);
    std::vector<Completion> messages(pairs);
    run(2 * pairs, GetParam(), [&](int index) {
        auto pair = static_cast<size_t>(index / 2);
        for (int round = 0; round < rounds; ++round)
            if (index % 2) {
                there[pair].put('t');
                EXPECT_EQ(back[pair].get(), 'b');
            } else {
                EXPECT_EQ(there[pair].get(), 't');
                back[pair].put('b');
            }
        if (index % 2)
            messages[pair].complete();
        else
            messages[pair].wait();
    });
}

} // namespace
} // namespace thrum
