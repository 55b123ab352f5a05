// Which processes watch which, and what is noticed while nothing is sent.
#include "base/clock.h"
#include "fabric/network/node_watch.h"
#include "fabric/testing/node_processes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace thrum {
namespace {

using testing::ProcessOptions;

bool is_watched(NodeProcess process, const std::vector<int> &nodes) {
    for (size_t other = 0; other < nodes.size(); ++other) {
        if (nodes[other] < 0 || nodes[other] == nodes[process.index()])
            continue;
        const NodeProcess number(static_cast<int>(other));
        if (std::ranges::count(watch_targets(number, nodes), process) > 0 ||
            std::ranges::count(watch_targets(process, nodes), number) > 0)
            return true;
    }
    return false;
}

TEST(NodeWatch, WhoeverIsLeftIsWatchedByAnotherNode) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        const auto count = 2 + random() % 40, node_count = 2 + random() % 9;
        std::vector<int> nodes;
        for (size_t process = 0; process < count; ++process)
            nodes.push_back(static_cast<int>(random() % node_count));
        for (size_t losses = 0; losses < count; ++losses) {
            for (size_t process = 0; process < count; ++process) {
                const bool alone = std::ranges::all_of(
                    nodes, [&](int node) { return node < 0 || node == nodes[process]; });
                if (nodes[process] >= 0 && !alone) {
                    ASSERT_TRUE(is_watched(NodeProcess(static_cast<int>(process)), nodes))
                        << process << " of " << count;
                }
            }
            nodes[random() % count] = -1;
        }
    }
}

TEST(NodeWatch, ConnectionsAreFew) {
    std::vector<int> nodes;
    for (int process = 0; process < 64 * 16; ++process)
        nodes.push_back(process / 16);
    for (int process = 0; process < 64 * 16; process += 97) {
        const std::vector<NodeProcess> targets = watch_targets(NodeProcess(process), nodes);
        EXPECT_EQ(targets.size(), 6U);
        for (NodeProcess target : targets)
            EXPECT_NE(nodes[target.index()], process / 16);
    }
}

// Returns whether `process` is found to be lost in time.
bool is_noticed(int process, int64_t limit_ns = 5'000'000'000) {
    const int64_t end = now_ns() + limit_ns;
    while (!fabric_has_lost(NodeProcess(process)) && now_ns() < end)
        ::usleep(1000);
    return fabric_has_lost(NodeProcess(process));
}

const std::vector<const char *> over_tcp{"THRUM_FABRIC=shm,tcp"};

bool failed() {
    return ::testing::Test::HasFailure();
}

TEST(NodeWatch, EndsAreNoticedByWhoNeverSends) {
    auto statuses = testing::run_processes(
        3,
        [](int me) {
            if (me == 1) {
                ::usleep(300'000); // for the connections
                ::raise(SIGKILL);
            }
            EXPECT_TRUE(is_noticed(1));
            EXPECT_FALSE(fabric_has_lost(NodeProcess(2 - me)));
            auto &checked = testing::shared_state->words[0];
            for (checked.fetch_add(1); checked.load() < 2;)
                ::usleep(1000);
        },
        {.settings = over_tcp, .end = false, .failed = failed, .node_of = [](int process) {
             return process;
         }});
    EXPECT_EQ(statuses[0], 0);
    EXPECT_EQ(statuses[2], 0);
}

// Processes 0 and 1 are node 0, the others node 1. Process 1 has not watched process 2.
TEST(NodeWatch, WhatALostProcessHasWatchedIsWatchedByAnother) {
    auto statuses = testing::run_processes(
        4,
        [](int me) {
            auto &connected = testing::shared_state->words[0];
            if (me == 0)
                ::raise(SIGKILL);
            if (me != 1) {
                while (connected.load() == 0)
                    ::usleep(1000);
                ::raise(SIGKILL);
            }
            EXPECT_TRUE(is_noticed(0));
            ::usleep(300'000); // for the new connection
            connected.store(1);
            EXPECT_TRUE(is_noticed(2));
            EXPECT_TRUE(is_noticed(3));
        },
        {.settings = over_tcp, .end = false, .failed = failed, .node_of = [](int process) {
             return process / 2;
         }});
    EXPECT_EQ(statuses[1], 0);
}

TEST(NodeWatch, WhoIsStoppedIsNotLost) {
    auto statuses =
        testing::run_processes(2,
                               [](int me) {
                                   auto &pid = testing::shared_state->words[0];
                                   if (me == 1) {
                                       pid.store(static_cast<uint64_t>(::getpid()));
                                       ::raise(SIGSTOP);
                                       return;
                                   }
                                   while (pid.load() == 0)
                                       ::usleep(1000);
                                   EXPECT_FALSE(is_noticed(1, 3'500'000'000));
                                   ::kill(static_cast<pid_t>(pid.load()), SIGCONT);
                               },
                               {.settings = {"THRUM_FABRIC=shm,tcp", "THRUM_HOST_TIMEOUT=2"},
                                .failed = failed,
                                .node_of = [](int process) {
                                    return process;
                                }});
    EXPECT_EQ(statuses, (std::vector<int>{0, 0}));
}

TEST(NodeWatch, AChildOfForkDoesNotHideTheEnd) {
    auto statuses = testing::run_processes(
        2,
        [](int me) {
            auto &child = testing::shared_state->words[0];
            if (me == 1) {
                ::usleep(300'000); // for the connections
                const pid_t pid = ::fork();
                if (pid == 0) {
                    ::sleep(30);
                    ::_exit(0);
                }
                child.store(static_cast<uint64_t>(pid));
                ::raise(SIGKILL);
            }
            EXPECT_TRUE(is_noticed(1));
            ::kill(static_cast<pid_t>(child.load()), SIGKILL);
        },
        {.settings = over_tcp, .end = false, .failed = failed, .node_of = [](int process) {
             return process;
         }});
    EXPECT_EQ(statuses[0], 0);
}

} // namespace
} // namespace thrum
