// Working directories and umasks of ranks that share a worker.
#include "fiber/testing/each_layer.h"
#include "libc/directory.h"
#include "libc/testing/ranks.h"

#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace thrum {
namespace {

using testing::override_of;
using testing::run_ranks_with_libc;

std::string working_directory() {
    char path[PATH_MAX];
    return ::getcwd(path, sizeof path) ? path : "";
}

class SomeDirectories : public ::testing::Test {
protected:
    void SetUp() override {
        char name[] = "/tmp/thrum-directory-XXXXXX";
        ASSERT_TRUE(::mkdtemp(name));
        top_ = name;
        for (const char *part : {"/1", "/2", "/3"})
            ASSERT_EQ(::mkdir((top_ + part).c_str(), 0700), 0);
    }

    void TearDown() override {
        for (const char *part : {"/1", "/2", "/3", ""})
            ::rmdir((top_ + part).c_str());
    }

    std::string top_;
};

class Directory : public SomeDirectories, public ::testing::WithParamInterface<TeamOptions> {};

class VisitedDirectory : public SomeDirectories {};

TEST_P(Directory, EachRankHasItsOwn) {
    run_ranks_with_libc(
        3,
        [&](Rank &rank) {
            const std::string own = top_ + "/" + std::to_string(rank.world_rank);
            EXPECT_FALSE(has_own_directory());
            EXPECT_EQ(change_directory(own.c_str()), 0);
            EXPECT_TRUE(has_own_directory());
            for (int i = 0; i < 20; ++i) {
                yield();
                EXPECT_EQ(working_directory(), own);
            }
        },
        nullptr, GetParam());
}

TEST_P(Directory, ARankThatStaysIsWhereTheProcessWas) {
    const std::string before = working_directory();
    run_ranks_with_libc(
        2,
        [&](Rank &rank) {
            if (rank.world_rank == 1) {
                EXPECT_EQ(change_directory((top_ + "/1").c_str()), 0);
            }
            for (int i = 0; i < 20; ++i) {
                yield();
                EXPECT_EQ(working_directory(), rank.world_rank == 1 ? top_ + "/1" : before);
            }
        },
        nullptr, GetParam());
}

TEST_P(Directory, IsKeptIfTheChangeFails) {
    run_ranks_with_libc(
        1,
        [&](Rank &) {
            EXPECT_EQ(change_directory(top_.c_str()), 0);
            errno = 0;
            EXPECT_EQ(change_directory("/no/such/directory"), -1);
            EXPECT_EQ(errno, ENOENT);
            yield();
            EXPECT_EQ(working_directory(), top_);
        },
        nullptr, GetParam());
}

TEST_P(Directory, EachRankHasItsOwnUmask) {
    run_ranks_with_libc(
        2,
        [&](Rank &rank) {
            auto *set_mask = override_of<mode_t(mode_t)>("umask");
            const mode_t own = rank.world_rank == 1 ? 077 : 027;
            set_mask(own);
            for (int i = 0; i < 20; ++i) {
                yield();
                EXPECT_EQ(set_mask(own), own);
            }
        },
        nullptr, GetParam());
}

// A thread that visits ranks, as the signal thread does, and says where it then is.
class Visitor {
public:
    ~Visitor() {
        ask(nullptr);
        thread_.join();
    }

    std::string directory_of(Rank &rank) {
        ask(&rank);
        std::unique_lock guard(mutex_);
        changed_.wait(guard, [&] { return !asked_; });
        return answer_;
    }

private:
    void ask(Rank *rank) {
        std::lock_guard guard(mutex_);
        asked_ = true;
        rank_ = rank;
        changed_.notify_all();
    }

    void answer() {
        std::unique_lock guard(mutex_);
        for (;;) {
            changed_.wait(guard, [&] { return asked_; });
            if (!rank_)
                return;
            enter_directory_as_visitor(*rank_);
            answer_ = working_directory();
            asked_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool asked_ = false;
    Rank *rank_ = nullptr;
    std::string answer_;
    std::thread thread_{[this] {
        answer();
    }};
};

// The descriptor of a directory that a rank has left soon means another rank's.
TEST_F(VisitedDirectory, IsNotMistakenForOneWithTheSameDescriptor) {
    Visitor visitor;
    int step = 0;
    run_ranks_with_libc(2, [&](Rank &rank) {
        if (rank.world_rank == 2) {
            while (step < 1)
                yield();
            EXPECT_EQ(change_directory((top_ + "/2").c_str()), 0);
            for (step = 2; step < 3;)
                yield();
            return;
        }
        EXPECT_EQ(change_directory((top_ + "/1").c_str()), 0);
        EXPECT_EQ(visitor.directory_of(rank), top_ + "/1");
        EXPECT_EQ(change_directory((top_ + "/3").c_str()), 0);
        for (step = 1; step < 2;)
            yield();
        EXPECT_EQ(visitor.directory_of(rank_at(2)), top_ + "/2");
        step = 3;
    });
}

INSTANTIATE_TEST_SUITE_P(On, Directory, testing::each_layer(), testing::name_of_layer);

} // namespace
} // namespace thrum
