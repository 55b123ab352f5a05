#include "fiber/team.h"

#include "base/check.h"
#include "base/futex.h"
#include "fiber/sanitizer.h"
#include "fiber/scheduler.h"
#include "fiber/thread_block.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sched.h>
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
    // acquire [team-1]
    while (uint32_t running = team.running.load(std::memory_order_acquire))
        futex_wait(team.running, running);
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

// CPUs that the cgroup's quota allows (cgroup v2 cpu.max: "quota period"), or 0 without a limit.
int cgroup_cores() {
    std::FILE *file = std::fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file)
        return 0;
    char quota[32];
    long period = 0;
    int cores = 0;
    if (std::fscanf(file, "%31s %ld", quota, &period) == 2 && period > 0 &&
        std::strcmp(quota, "max") != 0)
        cores = static_cast<int>((std::strtol(quota, nullptr, 10) + period - 1) / period);
    std::fclose(file);
    return cores;
}

int count_usable_cores() {
    cpu_set_t set;
    int cores = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    int limit = cgroup_cores();
    if (limit > 0 && limit < cores)
        cores = limit;
    return cores > 0 ? cores : 1;
}

} // namespace

int usable_cores() {
    static const int cores = count_usable_cores();
    return cores;
}

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
