// The signals of a rank: what is queued, blocked, delivered and taken.
#include "base/clock.h"
#include "libc/signals.h"
#include "libc/testing/ranks.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <vector>

namespace thrum {
namespace {

using testing::run_ranks_with_libc;

struct Delivery {
    int rank, signal, value;

    bool operator==(const Delivery &) const = default;
};

std::vector<Delivery> deliveries;

void record(int signal, siginfo_t *info, void *) {
    deliveries.push_back({current_rank().world_rank, signal, info->si_value.sival_int});
}

SignalState &signals_of_caller() {
    return state_of(rank_signals_of(current_libc()));
}

void handle(int signal, int flags = SA_SIGINFO, SignalSet mask = 0) {
    signals_of_caller().actions[signal] = {reinterpret_cast<void *>(&record), mask, flags};
}

siginfo_t info_of(int signal, int value = 0) {
    siginfo_t info = {};
    info.si_signo = signal;
    info.si_value.sival_int = value;
    return info;
}

void send_to_self(int signal, int value = 0) {
    send_to_rank(current_rank(), info_of(signal, value));
}

class Signals : public ::testing::Test {
protected:
    void SetUp() override { deliveries.clear(); }
};

TEST_F(Signals, OneThatARankSendsToItselfRunsItsHandlerAtOnce) {
    run_ranks_with_libc(2, [](Rank &rank) {
        handle(SIGUSR1);
        if (rank.world_rank != 2)
            return;
        send_to_self(SIGUSR1, 7);
        EXPECT_EQ(deliveries, (std::vector<Delivery>{{2, SIGUSR1, 7}}));
    });
}

TEST_F(Signals, ABlockedStandardSignalIsPendingOnce) {
    run_ranks_with_libc(1, [](Rank &rank) {
        handle(SIGUSR1);
        change_mask(rank, set_of(SIGUSR1));
        send_to_self(SIGUSR1, 1);
        send_to_self(SIGUSR1, 2);
        EXPECT_TRUE(deliveries.empty());
        EXPECT_FALSE(has_deliverable_signal(rank));
        change_mask(rank, 0);
        EXPECT_EQ(deliveries, (std::vector<Delivery>{{1, SIGUSR1, 1}}));
    });
}

TEST_F(Signals, RealTimeSignalsAreQueuedInOrder) {
    run_ranks_with_libc(1, [](Rank &rank) {
        const int signal = SIGRTMIN;
        handle(signal);
        change_mask(rank, set_of(signal));
        for (int value = 0; value < 3; ++value)
            send_to_self(signal, value);
        change_mask(rank, 0);
        EXPECT_EQ(deliveries,
                  (std::vector<Delivery>{{1, signal, 0}, {1, signal, 1}, {1, signal, 2}}));
    });
}

TEST_F(Signals, NoHandlerRunsWhileTheThreadHoldsSignals) {
    run_ranks_with_libc(1, [](Rank &) {
        handle(SIGUSR2);
        {
            SignalHold outer;
            {
                SignalHold inner;
                send_to_self(SIGUSR2);
            }
            EXPECT_TRUE(deliveries.empty());
        }
        EXPECT_EQ(deliveries.size(), 1U);
    });
}

TEST_F(Signals, AnIgnoredSignalIsNotQueued) {
    run_ranks_with_libc(1, [](Rank &rank) {
        signals_of_caller().actions[SIGUSR1].handler = reinterpret_cast<void *>(SIG_IGN);
        EXPECT_FALSE(queue_signal(rank, info_of(SIGUSR1)));
        EXPECT_FALSE(queue_signal(rank, info_of(SIGCHLD))); // by default
        change_mask(rank, set_of(SIGCHLD));                 // sigwait() may want it
        EXPECT_TRUE(queue_signal(rank, info_of(SIGCHLD)));
    });
}

TEST_F(Signals, AHandlerThatIsResetRunsOnce) {
    run_ranks_with_libc(1, [](Rank &) {
        handle(SIGUSR1, SA_SIGINFO | static_cast<int>(SA_RESETHAND));
        send_to_self(SIGUSR1);
        EXPECT_EQ(deliveries.size(), 1U);
        EXPECT_EQ(signals_of_caller().actions[SIGUSR1].handler, nullptr);
    });
}

TEST_F(Signals, AHandlerBlocksItsOwnSignalAndItsMask) {
    run_ranks_with_libc(1, [](Rank &) {
        static SignalSet mask_inside;
        auto look = [](int, siginfo_t *, void *) {
            mask_inside = signals_of(current_rank_thread()).mask.load(std::memory_order_relaxed);
        };
        void (*function)(int, siginfo_t *, void *) = look;
        signals_of_caller().actions[SIGUSR1] = {reinterpret_cast<void *>(function), set_of(SIGTERM),
                                                SA_SIGINFO};
        send_to_self(SIGUSR1);
        EXPECT_EQ(mask_inside, set_of(SIGUSR1) | set_of(SIGTERM));
        EXPECT_EQ(signals_of(current_rank_thread()).mask.load(std::memory_order_relaxed), 0U);
    });
}

TEST_F(Signals, AHandlerKeepsErrno) {
    run_ranks_with_libc(1, [](Rank &) {
        void (*function)(int) = [](int) {
            errno = ENOENT;
        };
        signals_of_caller().actions[SIGUSR1] = {reinterpret_cast<void *>(function), 0, 0};
        errno = ERANGE;
        send_to_self(SIGUSR1);
        EXPECT_EQ(errno, ERANGE);
    });
}

TEST_F(Signals, TakeSignalLeavesTheOthersPending) {
    run_ranks_with_libc(1, [](Rank &rank) {
        handle(SIGUSR1);
        handle(SIGUSR2);
        change_mask(rank, set_of(SIGUSR1) | set_of(SIGUSR2));
        send_to_self(SIGUSR1);
        send_to_self(SIGUSR2, 5);
        siginfo_t info;
        EXPECT_TRUE(take_signal(rank, set_of(SIGUSR2), info));
        EXPECT_EQ(info.si_value.sival_int, 5);
        EXPECT_FALSE(take_signal(rank, set_of(SIGUSR2), info));
        change_mask(rank, 0);
        EXPECT_EQ(deliveries, (std::vector<Delivery>{{1, SIGUSR1, 0}}));
    });
}

TEST_F(Signals, AWaitEndsAtItsDeadline) {
    run_ranks_with_libc(1, [](Rank &) {
        const int64_t deadline_ns = now_ns() + 2'000'000;
        EXPECT_FALSE(wait_for_signal(deadline_ns));
        EXPECT_GE(now_ns(), deadline_ns);
    });
}

TEST(SignalSets, HaveTheKernelsOrder) {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGHUP);
    ::sigaddset(&set, SIGRTMAX);
    EXPECT_EQ(from_sigset(set), set_of(SIGHUP) | set_of(SIGRTMAX));
    const sigset_t back = to_sigset(set_of(SIGHUP) | set_of(SIGRTMAX));
    for (int signal = 1; signal <= signals_max; ++signal)
        EXPECT_EQ(::sigismember(&back, signal), ::sigismember(&set, signal)) << signal;
}

TEST(SignalSets, NeverBlockKillAndStop) {
    sigset_t all;
    ::sigfillset(&all);
    EXPECT_EQ(from_sigset(all) & (set_of(SIGKILL) | set_of(SIGSTOP)), 0U);
}

TEST(DefaultActions, AreThoseOfSignal7) {
    EXPECT_EQ(default_action(SIGCHLD), DefaultAction::Ignore);
    EXPECT_EQ(default_action(SIGWINCH), DefaultAction::Ignore);
    EXPECT_EQ(default_action(SIGTSTP), DefaultAction::Stop);
    EXPECT_EQ(default_action(SIGSEGV), DefaultAction::Report);
    EXPECT_EQ(default_action(SIGABRT), DefaultAction::Report);
    EXPECT_EQ(default_action(SIGTERM), DefaultAction::Terminate);
    EXPECT_EQ(default_action(SIGRTMIN), DefaultAction::Terminate);
}

} // namespace
} // namespace thrum
