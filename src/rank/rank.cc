// The table of ranks, and the tasks of threads that no rank has made (rank/rank.h). The table is
// one mapping with room for added_ranks_max more ranks, so it grows in place; its count is
// published after a new entry (release [ranks-1]).
#include "rank/rank.h"

#include "base/check.h"
#include "base/spinlock.h"
#include "base/tools.h"
#include "fiber/places.h"
#include "rank/share.h"
#include "rank/status_page.h"

#include <cstdio>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <vector>

namespace thrum {

constinit RankTable the_rank_table;

namespace {

Rank *&ranks = the_rank_table.ranks;
int first_count = 0; // ranks with which the process was started

int count_of_ranks() {
    // acquire [ranks-1]: the ranks are there; pairs with add_rank().
    return __atomic_load_n(&the_rank_table.count, __ATOMIC_ACQUIRE);
}

// Returns the size of the table for `count` first ranks.
size_t table_bytes(int count) {
    return (static_cast<size_t>(count) + added_ranks_max) * sizeof(Rank);
}

// Returns how much of the table ranks occupy.
size_t used_bytes() {
    return static_cast<size_t>(count_of_ranks()) * sizeof(Rank);
}

// Returns where a member of the first rank is in the table.
size_t offset_in_table(const void *member) {
    return static_cast<size_t>(static_cast<const char *>(member) -
                               reinterpret_cast<const char *>(ranks));
}

// The key of the tasks of adopted threads. Destructors of keys run after those of thread-locals,
// and again if one of them has set a value, so a thread may still call MPI at its very end.
pthread_key_t adopted_task;

void leave_adopted_thread(void *task) {
    auto *thread = static_cast<RankThread *>(task);
    leave_os_thread(*thread);
    delete thread;
}

LateStart *late_start = nullptr;
SpinLock first_lock; // held while the first thread of all makes its rank

// Makes the calling thread, which no rank has made, rank 0's until it ends. It is a library's own
// thread, or any thread if the process has one rank. In a process that has loaded libmpi late, the
// first call makes the rank.
Task *adopt_as_rank_0() {
    {
        LockGuard guard(first_lock);
        if (count_of_ranks() == 0 && late_start)
            return &late_start();
        if (count_of_ranks() == 0)
            create_ranks(1);
    }
    auto *thread = new RankThread;
    keep_for_ever(thread); // for leak checks: only the key refers to it
    thread->rank = ranks;
    ::pthread_setspecific(adopted_task, thread);
    return thread;
}

// Writes the name under which report() speaks for the calling thread. A process without ranks (a
// unit test) may have tasks of its own.
const char *name_speaker(char *buffer, unsigned size_bytes) {
    const auto *thread = static_cast<const RankThread *>(current_task_or_null);
    if (count_of_ranks() > 0 && thread && thread->rank)
        std::snprintf(buffer, size_bytes, "rank %d", thread->rank->world_rank);
    return buffer;
}

[[gnu::constructor]] void install() {
    CHECK(::pthread_key_create(&adopted_task, leave_adopted_thread) == 0);
    set_adopt_function(&adopt_as_rank_0);
    set_speaker(&name_speaker);
}

} // namespace

void set_late_start(LateStart *function) {
    late_start = function;
}

void create_ranks(int count) {
    create_share_of_ranks(count, {.first_rank = 0, .world_size = count});
}

// The shape of the table is published to mpiexec last, when every entry is valid.
void create_share_of_ranks(int count, const JobShare &share) {
    CHECK(count > 0);
    if (ranks) // a unit test makes another team
        ::munmap(ranks, table_bytes(first_count));
    void *memory = map_rank_table(table_bytes(count), used_bytes);
    CHECK(memory, "out of memory for %d ranks", count);
    add_leak_check_root(memory, static_cast<size_t>(count) * sizeof(Rank));
    ranks = static_cast<Rank *>(memory);
    the_rank_table.count = first_count = count;
    NodeVisits visits;
    for (int i = 0; i < count; ++i) {
        visits.visit(i, count);
        Rank *rank = new (ranks + i) Rank;
        rank->rank = rank;
        rank->world_rank = share.first_rank + i;
        rank->world_size = share.world_size;
    }
    describe_rank_table({.first_rank = share.first_rank,
                         .rank_count = count,
                         .rank_bytes = sizeof(Rank),
                         .function_offset = offset_in_table(&ranks->call.function),
                         .ended_offset = offset_in_table(&ranks->ended)});
}

Rank &add_rank(int number, int world_size) {
    CHECK(number >= first_count && number < first_count + added_ranks_max, "rank number %d",
          number);
    if (number == first_count)
        add_leak_check_root(ranks + first_count, added_ranks_max * sizeof(Rank));
    // The count of waits goes on: to the watch of deadlocks the wait of a rank that had this number
    // before would seem to last. Zero in a place that was never used.
    const uint32_t waits = ranks[number].call.waits.load(std::memory_order_relaxed);
    Rank *rank = new (ranks + number) Rank;
    rank->call.waits.store(waits + 1, std::memory_order_relaxed);
    rank->rank = rank;
    rank->world_rank = number;
    rank->world_size = world_size;
    rank->record = observe::added_record(number);
    if (number >= the_rank_table.count) // release [ranks-1]
        __atomic_store_n(&the_rank_table.count, number + 1, __ATOMIC_RELEASE);
    return *rank;
}

std::mutex &rank_table_mutex() {
    static constinit std::mutex mutex;
    return mutex;
}

bool is_first_rank(const Rank &rank) {
    return rank.world_rank - ranks[0].world_rank < first_count;
}

int first_rank_count() {
    return first_count;
}

Rank &rank_at(int place) {
    CHECK(place >= 0 && place < count_of_ranks(), "rank %d of the %d of this process", place,
          count_of_ranks());
    return ranks[place];
}

int rank_count() {
    return count_of_ranks();
}

} // namespace thrum
