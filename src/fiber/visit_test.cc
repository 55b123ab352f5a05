// Visits to fibers that wait.
#include "fiber/completion.h"
#include "fiber/sanitizer.h"
#include "fiber/testing/team.h"
#include "fiber/visit.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace thrum {
namespace {

thread_local int own_value = 0;

struct Team {
    Task tasks[2];
    Completion done[2];
    std::atomic<int> ready{0};
    std::atomic<int> visited{0};
};

void note_visit(void *argument) {
    auto &team = *static_cast<Team *>(argument);
    ++own_value; // of the fiber, not of the visitor
    team.visited.fetch_add(1);
}

TEST(Visit, RunsWithTheThreadBlockOfAFiberThatGoesOnWaiting) {
    if constexpr (!sanitizer::own_thread_blocks)
        GTEST_SKIP() << "fibers have no thread blocks in sanitizer builds";
    constexpr int rounds = 1000;
    Team team;
    std::atomic<bool> over{false};
    std::thread visitor([&] {
        while (!over)
            visit_waiting_fiber(team.tasks[0], &note_visit, &team);
    });
    Task *pointers[] = {&team.tasks[0], &team.tasks[1]};
    auto run = [](void *argument, int index) {
        auto &t = *static_cast<Team *>(argument);
        for (int i = 0; i < rounds; ++i) {
            if (index == 0) {
                t.done[0].wait();
                t.done[0].reset();
                t.done[1].complete();
            } else {
                int before = t.visited;
                if (i % 16 == 0) // the other fiber waits: it will be visited
                    while (t.visited == before)
                        cpu_pause();
                t.done[0].complete();
                t.done[1].wait();
                t.done[1].reset();
            }
        }
        if (index == 0) {
            EXPECT_EQ(own_value, t.visited);
        }
    };
    run_team(2, pointers, run, &team, {2, false, 256 << 10});
    over = true;
    visitor.join();
    EXPECT_GE(team.visited, rounds / 16);
    EXPECT_EQ(own_value, 0);
}

// Overwrites the stack below the frames of the caller, where a visitor's are.
[[gnu::noinline]] void overwrite_stack() {
    volatile char bytes[4096];
    for (volatile char &byte : bytes)
        byte = 1;
}

// The next to run is taken without the queue, and may be visited, too.
TEST(Visit, ATaskThatIsHandedOverWaitsForItsVisitor) {
    if constexpr (!sanitizer::own_thread_blocks)
        GTEST_SKIP() << "fibers have no thread blocks in sanitizer builds";
    constexpr int visits = 2000;
    Team team;
    std::atomic<bool> over{false};
    auto stay = [](void *argument) {
        for (int i = 0; i < 100; ++i)
            cpu_pause();
        note_visit(argument);
    };
    std::thread visitor([&] {
        while (!over)
            for (Task &task : team.tasks)
                visit_waiting_fiber(task, stay, &team);
    });
    Task *pointers[] = {&team.tasks[0], &team.tasks[1]};
    auto run = [](void *argument, int index) {
        auto &t = *static_cast<Team *>(argument);
        if (index == 0) {
            while (t.visited < visits) {
                t.done[1].complete_and_hand_over();
                t.done[0].wait();
                t.done[0].reset();
                overwrite_stack();
            }
            t.ready = 1;
            t.done[1].complete();
            return;
        }
        for (;;) {
            t.done[1].wait();
            t.done[1].reset();
            overwrite_stack();
            if (t.ready)
                return;
            t.done[0].complete_and_hand_over();
        }
    };
    run_team(2, pointers, run, &team, {1, false, 256 << 10});
    over = true;
    visitor.join();
    EXPECT_GE(team.visited, visits);
}

} // namespace
} // namespace thrum
