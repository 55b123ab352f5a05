// Tasks that sleep in the kernel while others of their worker run.
#include "base/own_threads.h"
#include "fiber/activity.h"
#include "fiber/blocking_call.h"
#include "fiber/completion.h"
#include "fiber/sanitizer.h"
#include "fiber/testing/tasks.h"

#include <atomic>
#include <cerrno>
#include <functional>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

std::atomic<int (*)()> refuse_thread{nullptr}; // asked for each new thread: an error number, or 0

} // namespace

// In place of those of base/own_threads.cc.
int create_own_thread(pthread_t *thread, const pthread_attr_t *attributes,
                      void *(*function)(void *), void *argument) {
    int (*refuse)() = refuse_thread;
    if (int error = refuse ? refuse() : 0)
        return error;
    return ::pthread_create(thread, attributes, function, argument);
}

void join_own_thread(pthread_t thread) {
    ::pthread_join(thread, nullptr);
}

namespace {

void run(int count, const TeamOptions &options, const std::function<void(int)> &function) {
    testing::run_tasks(count, function, options);
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

// Like a library that makes its system call itself: the scheduler is not informed.
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

// The watch is the last that is active when it is refused a thread for a worker that sleeps: it is
// the watch that finds that all tasks wait.
TEST(WithoutThreads, ThatAllTasksWaitIsFoundByTheWatch) {
    static Pipe *pipe;
    static Completion *never, *done;
    Pipe the_pipe;
    Completion the_never, the_done;
    pipe = &the_pipe;
    never = &the_never;
    done = &the_done;
    static std::atomic<bool> found{false};
    set_quiescence_function([] { // also at the end, when all tasks are done
        if (!found.exchange(true))
            never->complete();
    });
    static const pthread_t starter = ::pthread_self(); // may still be about to start the watch
    auto refuse = [] {
        if (::pthread_equal(::pthread_self(), starter))
            return 0;
        pipe->put('x'); // the sleeper wakes up, and then all wait
        while (activity().active() > 1)
            ::usleep(1000);
        return EAGAIN;
    };
    run(2, {1, false, 256 << 10}, [&](int index) {
        if (index == 0) {
            refuse_thread = refuse;
            EXPECT_EQ(pipe->get(), 'x'); // unannounced, while the other one is runnable
            refuse_thread = nullptr;
            done->wait();
        } else {
            never->wait();
            done->complete();
        }
    });
    EXPECT_TRUE(found);
    set_quiescence_function(nullptr);
}

} // namespace
} // namespace thrum
