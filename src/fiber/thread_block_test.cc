// Tests what a fiber needs of its thread control block: each test fails if the field it is about is
// missing (thread_block.cc says which). Fibers migrate between two workers at every yield.
#include "base/clock.h"
#include "fiber/completion.h"
#include "fiber/sanitizer.h"
#include "fiber/testing/tasks.h"
#include "fiber/thread_block.h"

#include <atomic>
#include <cctype>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

class ThreadBlock : public ::testing::Test {
protected:
    void SetUp() override {
        if (!sanitizer::own_thread_blocks)
            GTEST_SKIP() << "in sanitizer builds fibers share the worker's block";
    }

    static void run(int count, const std::function<void(int)> &function) {
        testing::run_tasks(count, function, {2, false, 256 << 10});
    }

    static void yield_often() {
        for (int i = 0; i < 50; ++i)
            yield();
    }
};

TEST_F(ThreadBlock, ErrnoThroughACachedAddressStaysTheFibers) {
    run(20, [](int me) {
        int *address = &errno;
        *address = me;
        yield_often();
        EXPECT_EQ(errno, me);
        EXPECT_EQ(&errno, address);
    });
}

TEST_F(ThreadBlock, EveryFiberIsAThreadOfItsOwn) {
    std::vector<pthread_t> self(50);
    run(50, [&](int me) {
        self[static_cast<size_t>(me)] = pthread_self();
        yield_often();
        EXPECT_TRUE(pthread_equal(self[static_cast<size_t>(me)], pthread_self()));
    });
    EXPECT_EQ(std::set<pthread_t>(self.begin(), self.end()).size(), 50u);
}

TEST_F(ThreadBlock, ARecursiveMutexHeldOverSwitchesStaysItsOwners) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    int inside = 0;
    run(8, [&](int) {
        for (int round = 0; round < 20; ++round) {
            while (pthread_mutex_trylock(&mutex) != 0)
                yield();
            EXPECT_EQ(pthread_mutex_lock(&mutex), 0); // recursive
            EXPECT_EQ(++inside, 1);
            yield_often(); // resumed by any worker
            EXPECT_EQ(--inside, 0);
            EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
            EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
        }
    });
}

TEST_F(ThreadBlock, AnErrorCheckingMutexKnowsItsOwnerAfterMigration) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    Completion locked, checked;
    run(2, [&](int me) {
        if (me == 0) {
            EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
            locked.complete();
            checked.wait();
            EXPECT_EQ(pthread_mutex_lock(&mutex), EDEADLK);
            EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
        } else {
            locked.wait();
            EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
            checked.complete();
        }
    });
}

// The loader's lock is recursive and taken by workers at once: two fibers must not look like one
// owner.
TEST_F(ThreadBlock, TheLoadersLockIsSafeFromManyFibers) {
    run(16, [](int) {
        for (int i = 0; i < 200; ++i) {
            EXPECT_NE(dlsym(RTLD_DEFAULT, "printf"), nullptr);
            void *handle = dlopen("libm.so.6", RTLD_NOW | RTLD_NOLOAD);
            if (handle)
                dlclose(handle);
            yield();
        }
    });
}

TEST_F(ThreadBlock, ALiveExceptionSurvivesSwitches) {
    run(10, [](int me) {
        try {
            throw std::runtime_error("fiber " + std::to_string(me));
        } catch (const std::runtime_error &first) {
            yield_often();
            try {
                throw; // the one being handled, not another fiber's
            } catch (const std::runtime_error &again) {
                EXPECT_EQ(again.what(), "fiber " + std::to_string(me));
            }
        }
    });
}

TEST_F(ThreadBlock, StdioLocksAndCharacterClassesWork) {
    std::FILE *file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    run(20, [&](int me) {
        for (int i = 0; i < 50; ++i) {
            std::fprintf(file, "line %d of fiber %d\n", i, me);
            EXPECT_TRUE(std::isalpha('x') && !std::isalpha('7'));
            yield();
        }
    });
    std::rewind(file);
    int lines = 0;
    char line[64];
    while (std::fgets(line, sizeof line, file))
        lines += std::strncmp(line, "line ", 5) == 0 && line[std::strlen(line) - 1] == '\n';
    EXPECT_EQ(lines, 20 * 50);
    std::fclose(file);
}

TEST_F(ThreadBlock, ThreadSpecificDataIsTheFibers) {
    pthread_key_t key;
    ASSERT_EQ(pthread_key_create(&key, nullptr), 0);
    run(20, [&](int me) {
        EXPECT_EQ(pthread_getspecific(key), nullptr);
        pthread_setspecific(key, reinterpret_cast<void *>(static_cast<intptr_t>(me + 1)));
        yield_often();
        EXPECT_EQ(pthread_getspecific(key),
                  reinterpret_cast<void *>(static_cast<intptr_t>(me + 1)));
    });
    pthread_key_delete(key);
}

TEST_F(ThreadBlock, TheStackThatPthreadReportsHoldsTheFibersFrames) {
    run(4, [](int) {
        pthread_attr_t attributes;
        int local = 0;
        void *low = nullptr;
        size_t size = 0;
        // The id in the block is no kernel thread's: glibc asks the kernel for its affinity, in
        // vain.
        int error = pthread_getattr_np(pthread_self(), &attributes);
        if (error == 0) {
            pthread_attr_getstack(&attributes, &low, &size);
            EXPECT_GT(static_cast<void *>(&local), low);
            EXPECT_LT(static_cast<void *>(&local),
                      static_cast<void *>(static_cast<char *>(low) + size));
            pthread_attr_destroy(&attributes);
        } else {
            EXPECT_EQ(error, ESRCH); // docs/process_semantics.md
        }
    });
}

TEST_F(ThreadBlock, LongjmpStaysOnItsStack) {
    run(10, [](int me) {
        std::jmp_buf place;
        volatile int jumps = 0;
        if (setjmp(place) < me + 1) {
            yield_often();
            jumps = jumps + 1;
            std::longjmp(place, jumps);
        }
        EXPECT_EQ(jumps, me + 1);
    });
}

TEST_F(ThreadBlock, AForkedChildOfAFiberCanExit) {
    run(2, [](int me) {
        if (me == 0) {
            pid_t child = fork();
            if (child == 0)
                _exit(42);
            int status = 0;
            ASSERT_EQ(waitpid(child, &status, 0), child);
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
        } else {
            yield_often();
        }
    });
}

TEST_F(ThreadBlock, SchedGetcpuAsksTheKernel) {
    run(4, [](int) {
        yield_often();
        int cpu = sched_getcpu();
        EXPECT_GE(cpu, 0);
        EXPECT_LT(cpu, CPU_SETSIZE);
    });
}

TEST_F(ThreadBlock, MemoryMayBeFreedByAnotherFiber) {
    std::vector<std::atomic<char *>> slots(64);
    run(64, [&](int me) {
        for (int i = 0; i < 200; ++i) {
            auto *fresh = new char[static_cast<size_t>(16 + (i * 37 + me) % 2000)];
            fresh[0] = static_cast<char>(me);
            delete[] slots[static_cast<size_t>((me + i) % 64)].exchange(fresh);
            yield();
        }
    });
    for (auto &slot : slots)
        delete[] slot.load();
}

// The C library's list of stacks is whole after blocks were made and freed by several threads.
TEST_F(ThreadBlock, SeveralThreadsMakeAndFreeBlocks) {
    const char *reason = "";
    ASSERT_TRUE(discover_thread_blocks(&reason)) << reason;
    constexpr size_t blocks = 16;
    const size_t bytes = (thread_block_bytes() + (64 << 10)) / 4096 * 4096;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([bytes] {
            for (int round = 0; round < 1000; ++round) {
                void *memory = ::mmap(nullptr, blocks * bytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                ASSERT_NE(memory, MAP_FAILED);
                void *made[blocks];
                for (size_t i = 0; i < blocks; ++i) {
                    char *low = static_cast<char *>(memory) + i * bytes;
                    made[i] = make_thread_block(low + bytes, low);
                }
                for (void *block : made)
                    free_thread_block(block);
                ::munmap(memory, blocks * bytes); // a neighbour that was lost is a fault
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    run(20, [](int) { yield_often(); });
}

} // namespace
} // namespace thrum
