#include "fiber/testing/team.h"

#include "base/check.h"
#include "base/futex.h"
#include "fiber/sanitizer.h"
#include "fiber/scheduler.h"
#include "fiber/thread_block.h"
#include "fiber/usable_cores.h"
#include "fiber/watch.h"

#include <atomic>
#include <cstring>
#include <pthread.h>
#include <vector>

namespace thrum {
namespace {

struct Team {
    Task *const *tasks;
    void (*function)(void *argument, int index);
    void *argument;
    std::atomic<uint32_t> running;
};

struct Member {
    Team *team;
    int index;
};

void run_member(void *argument) {
    Member member = *static_cast<Member *>(argument);
    member.team->function(member.team->argument, member.index);
    // acq_rel [team-1]: the caller of run_team() sees what all members did.
    if (member.team->running.fetch_sub(1, std::memory_order_acq_rel) == 1)
        futex_wake(member.team->running);
}

void run_on_fibers(int count, Team &team, std::vector<Member> &members,
                   const TeamOptions &options) {
    const char *reason = nullptr;
    CHECK(!sanitizer::own_thread_blocks || discover_thread_blocks(&reason), "%s", reason);
    Scheduler &s = scheduler();
    int workers = options.workers > 0 ? options.workers : usable_cores();
    StackArena stacks;
    CHECK(stacks.reserve(static_cast<size_t>(count), options.stack_bytes, thread_block_bytes()),
          "%d stacks of %zu bytes", count, options.stack_bytes);
    s.create_workers(workers);
    for (int i = 0; i < count; ++i) {
        auto slot = static_cast<size_t>(i);
        CHECK(s.create_fiber(*team.tasks[i], stacks, slot, &run_member, &members[slot]));
        s.start_fiber(*team.tasks[i], static_cast<int>(int64_t{i} * workers / count));
    }
    s.start_workers(0);
    start_watch();
    // acquire [team-1]
    while (uint32_t running = team.running.load(std::memory_order_acquire))
        futex_wait(team.running, running);
    s.announce_stop();
    stop_watch();
    s.stop_workers();
    for (int i = 0; i < count; ++i)
        s.free_fiber(*team.tasks[i]);
}

void *run_thread_member(void *argument) {
    const Member &member = *static_cast<Member *>(argument);
    Task &task = *member.team->tasks[member.index];
    enter_os_thread(task);
    withdraw_os_thread(); // announced by run_on_threads()
    member.team->function(member.team->argument, member.index);
    leave_os_thread(task);
    return nullptr;
}

void run_on_threads(int count, std::vector<Member> &members, const TeamOptions &options) {
    std::vector<pthread_t> threads(static_cast<size_t>(count));
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, options.stack_bytes + sanitizer::thread_extra_bytes);
    for (int i = 0; i < count; ++i)
        announce_os_thread(); // all, before the first can wait and find itself alone
    for (size_t i = 0; i < threads.size(); ++i) {
        int error = ::pthread_create(&threads[i], &attributes, &run_thread_member, &members[i]);
        CHECK(error == 0, "pthread_create: %s", std::strerror(error));
    }
    for (pthread_t thread : threads)
        ::pthread_join(thread, nullptr);
    ::pthread_attr_destroy(&attributes);
}

} // namespace

void run_team(int count, Task *const *tasks, void (*function)(void *argument, int index),
              void *argument, const TeamOptions &options) {
    Team team{tasks, function, argument, {static_cast<uint32_t>(count)}};
    std::vector<Member> members;
    for (int i = 0; i < count; ++i) {
        members.push_back({&team, i});
        tasks[i]->state.store(TaskState::Created, std::memory_order_relaxed);
    }
    if (options.os_threads)
        run_on_threads(count, members, options);
    else
        run_on_fibers(count, team, members, options);
}

} // namespace thrum
