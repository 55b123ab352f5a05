// Tests WindowLock alone, attached memory, stripes and hints.
#include "comm/info.h"
#include "comm/testing/processes.h"
#include "rma/blockage.h"
#include "rma/epoch.h"
#include "rma/shared_lock.h"
#include "rma/stripe.h"

#include <gtest/gtest.h>
#include <memory>

using namespace thrum;

namespace {

using Mode = WindowLock::Mode;

// Many tasks take the lock; a counter that is not atomic reveals two holders.
void contend(WindowLock &lock, const TeamOptions &options) {
    constexpr int rounds = 300;
    int64_t value = 0;
    std::atomic<int> readers{0}, writers{0};
    run_processes(
        8,
        [&](Process &process) {
            Blockage blockage;
            for (int i = 0; i < rounds; ++i) {
                bool writes = (i + process.world_rank()) % 3 == 0;
                lock.acquire(writes ? Mode::Exclusive : Mode::Shared, false, blockage);
                if (writes) {
                    EXPECT_EQ(writers.fetch_add(1), 0);
                    EXPECT_EQ(readers.load(), 0);
                    int64_t before = value;
                    yield();
                    value = before + 1;
                    writers.fetch_sub(1);
                } else {
                    readers.fetch_add(1);
                    EXPECT_EQ(writers.load(), 0);
                    yield();
                    readers.fetch_sub(1);
                }
                lock.release(writes ? Mode::Exclusive : Mode::Shared);
            }
        },
        options);
    EXPECT_EQ(value, 8 * rounds / 3);
    EXPECT_FALSE(lock.is_held());
}

} // namespace

TEST(WindowLock, ExcludesWritersOnOneWorker) {
    WindowLock lock;
    contend(lock, {.workers = 1});
}

TEST(WindowLock, ExcludesWritersInAnyOrder) {
    WindowLock lock;
    lock.grant_in_any_order();
    contend(lock, {.workers = 2});
}

// A request behind one that a holder excludes would be delayed without a reason.
TEST(WindowLock, GrantsInAnyOrderWhatNoHolderExcludes) {
    struct Asked : WindowLock::Waiter {
        bool held = false;

        explicit Asked(Mode wanted) {
            mode = wanted;
            grant = [](WindowLock::Waiter &waiter) {
                static_cast<Asked &>(waiter).held = true;
            };
        }
    };

    WindowLock lock;
    lock.grant_in_any_order();
    Asked first(Mode::Exclusive), reader(Mode::Shared), writer(Mode::Exclusive),
        late_reader(Mode::Shared), later_reader(Mode::Shared);
    EXPECT_TRUE(lock.acquire_or_queue(first, false));
    EXPECT_FALSE(lock.acquire_or_queue(reader, false));
    EXPECT_FALSE(lock.acquire_or_queue(writer, false));
    EXPECT_FALSE(lock.acquire_or_queue(late_reader, false));
    lock.release(Mode::Exclusive);
    EXPECT_TRUE(reader.held);
    EXPECT_FALSE(writer.held);
    EXPECT_TRUE(late_reader.held);
    EXPECT_TRUE(lock.acquire_or_queue(later_reader, false)); // though a writer waits
    for (int i = 0; i < 3; ++i)
        lock.release(Mode::Shared);
    EXPECT_TRUE(writer.held);
    lock.release(Mode::Exclusive);
    EXPECT_FALSE(lock.is_held());
}

TEST(WindowLock, ExcludesWritersOnTwoWorkers) {
    WindowLock lock;
    contend(lock, {.workers = 2});
}

TEST(WindowLock, ExcludesWritersOfOsThreads) {
    WindowLock lock;
    contend(lock, {.os_threads = true});
}

TEST(WindowLock, GrantsInTheOrderOfArrival) {
    WindowLock lock;
    std::vector<int> order;
    run_processes(5,
                  [&](Process &process) {
                      Blockage blockage;
                      int rank = process.world_rank();
                      for (int turn = 0; turn < rank; ++turn) // one after the other, on one worker
                          yield();
                      lock.acquire(rank == 3 ? Mode::Shared : Mode::Exclusive, false, blockage);
                      for (int turn = 0; turn < 20; ++turn)
                          yield();
                      order.push_back(rank);
                      lock.release(rank == 3 ? Mode::Shared : Mode::Exclusive);
                  },
                  {.workers = 1});
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(WindowLock, SeveralExclusiveHoldersExcludeSharedOnesOnly) {
    WindowLock lock(true);
    Blockage blockage;
    lock.acquire(Mode::Exclusive, false, blockage);
    lock.acquire(Mode::Exclusive, false, blockage); // does not wait
    lock.release(Mode::Exclusive);
    lock.release(Mode::Exclusive);
    lock.acquire(Mode::Shared, false, blockage);
    lock.acquire(Mode::Shared, false, blockage);
    EXPECT_FALSE(lock.is_held(Mode::Exclusive));
    lock.release(Mode::Shared);
    lock.release(Mode::Shared);
}

TEST(WindowLock, GrantsOutOfOrderWhatNobodyExcludes) {
    WindowLock lock;
    bool reader_was_in = false, writer_was_in = false;
    run_processes(3,
                  [&](Process &process) {
                      Blockage blockage;
                      int rank = process.world_rank();
                      for (int turn = 0; turn < rank; ++turn)
                          yield();
                      if (rank == 1) { // waits for rank 0
                          lock.acquire(Mode::Exclusive, false, blockage);
                          writer_was_in = true;
                          lock.release(Mode::Exclusive);
                          return;
                      }
                      lock.acquire(Mode::Shared, false, blockage); // rank 2 waits behind rank 1
                      if (rank == 2) {
                          reader_was_in = true;
                      } else {
                          for (int turn = 0; turn < 10; ++turn)
                              yield();
                          EXPECT_FALSE(reader_was_in);
                          EXPECT_TRUE(lock.grant_out_of_order());
                          EXPECT_FALSE(lock.grant_out_of_order());
                          for (int turn = 0; turn < 10; ++turn)
                              yield();
                          EXPECT_TRUE(reader_was_in);
                          EXPECT_FALSE(writer_was_in);
                      }
                      lock.release(Mode::Shared);
                  },
                  {.workers = 1});
    EXPECT_TRUE(writer_was_in);
}

TEST(AttachedMemory, CoversRegionsThatTouch) {
    AttachedMemory memory;
    EXPECT_FALSE(memory.attach(1000, 100));
    EXPECT_FALSE(memory.attach(1200, 100));
    EXPECT_TRUE(memory.covers(1000, 1100));
    EXPECT_FALSE(memory.covers(999, 1001));
    EXPECT_FALSE(memory.covers(1050, 1250));
    EXPECT_FALSE(memory.attach(1100, 100));
    EXPECT_TRUE(memory.covers(1050, 1250));
    EXPECT_TRUE(memory.covers(1000, 1300));
    EXPECT_FALSE(memory.covers(1000, 1301));
    EXPECT_EQ(memory.attach(1299, 1).code(), MPI_ERR_RMA_ATTACH);
    EXPECT_EQ(memory.attach(500, 501).code(), MPI_ERR_RMA_ATTACH);
    EXPECT_FALSE(memory.attach(500, 500));
    EXPECT_EQ(memory.detach(1001).code(), MPI_ERR_BASE);
    EXPECT_FALSE(memory.detach(1100));
    EXPECT_FALSE(memory.covers(1050, 1250));
    EXPECT_EQ(memory.regions(), 3u);
}

TEST(AttachedMemory, KeepsRegionsWithoutBytesApart) {
    AttachedMemory memory;
    EXPECT_FALSE(memory.attach(1000, 0));
    EXPECT_FALSE(memory.attach(1000, 10));
    EXPECT_FALSE(memory.attach(1005, 0));
    EXPECT_TRUE(memory.covers(1000, 1010));
    EXPECT_FALSE(memory.detach(1000));
    EXPECT_FALSE(memory.detach(1000));
    EXPECT_FALSE(memory.detach(1005));
    EXPECT_EQ(memory.regions(), 0u);
}

TEST(WindowLock, IsTakenOnTheShortPathOnlyIfItIsFree) {
    WindowLock lock;
    const auto shared = [&] {
        return lock.try_acquire_own<Mode::Shared, false>();
    };
    const auto exclusive = [&] {
        return lock.try_acquire_own<Mode::Exclusive, false>();
    };
    EXPECT_TRUE(exclusive());
    EXPECT_FALSE(exclusive());
    EXPECT_FALSE(shared());
    EXPECT_FALSE(lock.release_own(Mode::Exclusive)); // nobody waits
    EXPECT_TRUE(shared());
    EXPECT_TRUE(shared());
    EXPECT_FALSE(exclusive());
    EXPECT_FALSE(lock.release_own(Mode::Shared));
    EXPECT_FALSE(lock.release_own(Mode::Shared));
    lock.note_exposed(true);
    EXPECT_FALSE(shared());
    EXPECT_FALSE(exclusive());
    lock.note_exposed(false);
    EXPECT_TRUE(exclusive());
    lock.release(Mode::Exclusive);
    EXPECT_FALSE(lock.is_held());
}

TEST(WindowLock, OfTheWholeWindowHasSeveralExclusiveHolders) {
    WindowLock lock(true);
    const auto exclusive = [&] {
        return lock.try_acquire_own<Mode::Exclusive, true>();
    };
    EXPECT_TRUE(exclusive());
    EXPECT_TRUE(exclusive());
    EXPECT_FALSE(lock.try_acquire(Mode::Shared, true));
    EXPECT_FALSE(lock.release_own(Mode::Exclusive));
    EXPECT_FALSE(lock.release_own(Mode::Exclusive));
    EXPECT_TRUE(lock.try_acquire(Mode::Shared, true));
    EXPECT_FALSE(exclusive());
    lock.release(Mode::Shared);
    EXPECT_FALSE(lock.is_held());
}

// Two processes have mapped a lock; the first one also has its queue.
TEST(SharedLock, IsTakenAndReleasedByBothProcesses) {
    alignas(64) char record[512] = {};
    ASSERT_LE(SharedLock::record_bytes(2), sizeof record);
    WindowLock lock;
    lock.grant_in_any_order();
    lock.share(SharedLock(record, 0).word());
    const SharedLock other(record, 1);
    EXPECT_TRUE(other.try_acquire(LockMode::Exclusive, false));
    EXPECT_TRUE(lock.is_held(LockMode::Exclusive));
    EXPECT_FALSE(lock.try_acquire(LockMode::Shared, false));
    EXPECT_FALSE(other.release(LockMode::Exclusive));
    EXPECT_FALSE(lock.is_held());
    EXPECT_TRUE(lock.try_acquire(LockMode::Shared, false));
    EXPECT_FALSE(other.try_acquire(LockMode::Exclusive, false));
    EXPECT_TRUE(other.try_acquire(LockMode::Shared, false));
    lock.release(LockMode::Shared);
    EXPECT_FALSE(other.release(LockMode::Shared));
    lock.note_exposed(true);
    EXPECT_FALSE(lock.is_held());
    EXPECT_FALSE(other.try_acquire(LockMode::Shared, false)); // its process has to say why
    lock.note_exposed(false);
    EXPECT_TRUE(other.try_acquire(LockMode::Shared, false));
    EXPECT_EQ(other.forget_holders(LockMode::Exclusive), 0u);
    EXPECT_EQ(other.forget_holders(LockMode::Shared), 1u);
    EXPECT_FALSE(other.forget_holder(LockMode::Shared));
}

// A process that is lost between counting and taking a lock has counted once too often.
TEST(SharedLock, IsReleasedForALostProcessAtMostAsOftenAsItIsHeld) {
    LockWord word;
    EXPECT_TRUE(word.enter(LockMode::Shared, false, 0));
    word.mark(LockWord::queued);
    word.leave_for(LockMode::Shared, 2);
    EXPECT_FALSE(word.is_held());
    word.leave_for(LockMode::Exclusive, 1);
    EXPECT_FALSE(word.enter(LockMode::Exclusive, false, LockWord::queued));
    EXPECT_TRUE(word.enter(LockMode::Exclusive, false, 0));
}

TEST(Stripes, FollowTheGranularity) {
    EXPECT_EQ(stripe_shift_of(0), stripe_shift_default);
    EXPECT_EQ(stripe_shift_of(1), stripe_shift_min);
    EXPECT_EQ(stripe_shift_of(4096), 12);
    EXPECT_EQ(stripe_shift_of(4097), 13);
    EXPECT_EQ(stripe_shift_of(INT64_MAX), stripe_shift_max);
}

TEST(Stripes, HoldOneLockAtATime) {
    alignas(4096) static char memory[8192];
    const Stripes stripes = stripes_of(nullptr, 11);
    StripeHold hold(stripes);
    EXPECT_EQ(hold.hold(memory + 5), memory + 2048);
    EXPECT_FALSE(stripes.lock_of(stripes.stripe_of(memory)).try_lock());
    EXPECT_EQ(hold.hold(memory + 2048), memory + 4096);
    SpinLock &first = stripes.lock_of(stripes.stripe_of(memory));
    EXPECT_TRUE(first.try_lock());
    first.unlock();
}

TEST(WindowHints, IgnoreWhatMakesNoSense) {
    WindowHints hints;
    Info *info = new_info();
    info->set("accumulate_ordering", "rar,,waw");
    info->set("mpi_accumulate_granularity", "-3");
    info->set("mpi_minimum_memory_alignment", "48");
    info->set("no_locks", "yes");
    hints.take(*info, false);
    EXPECT_EQ(hints.accumulate_ordering, "rar,raw,war,waw");
    EXPECT_EQ(hints.granularity, 0);
    EXPECT_EQ(hints.alignment, 0u);
    EXPECT_FALSE(hints.no_locks);
    info->set("accumulate_ordering", "waw");
    info->set("mpi_accumulate_granularity", "16");
    hints.take(*info, true);
    EXPECT_EQ(hints.accumulate_ordering, "waw");
    EXPECT_EQ(hints.granularity, 0); // the window exists
    delete_info(info);
}
