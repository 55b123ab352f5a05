// Each rank waits for its own children only.
#include "libc/child_processes.h"
#include "libc/spawn.h"
#include "libc/stdio.h"
#include "libc/testing/ranks.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thrum {
namespace {

using testing::run_ranks_with_libc;

pid_t start(const char *command) {
    pid_t child = -1;
    char shell[] = "sh", option[] = "-c";
    char *arguments[] = {shell, option, const_cast<char *>(command), nullptr};
    char *none[] = {nullptr};
    EXPECT_EQ(spawn_for_rank(child, "/bin/sh", nullptr, nullptr, arguments, none), 0);
    remember_child(child);
    return child;
}

TEST(ChildProcesses, AreThoseOfTheRank) {
    static pid_t child_of_first;
    run_ranks_with_libc(2, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        int status = 0;
        if (rank.world_rank == 1) {
            child_of_first = start("exit 7");
            EXPECT_TRUE(children_of(libc_of(rank)).is_referred_to());
            yield();
            EXPECT_EQ(wait_for_child(-1, &status, 0), child_of_first);
            EXPECT_EQ(WEXITSTATUS(status), 7);
            EXPECT_FALSE(children_of(libc_of(rank)).is_referred_to());
            return;
        }
        errno = 0;
        EXPECT_EQ(wait_for_child(-1, &status, 0), -1);
        EXPECT_EQ(errno, ECHILD);
    });
}

TEST(ChildProcesses, AreWaitedForByNumber) {
    run_ranks_with_libc(1, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        const pid_t one = start("exit 1"), two = start("exit 2");
        int status = 0;
        EXPECT_EQ(wait_for_child(two, &status, 0), two);
        EXPECT_EQ(WEXITSTATUS(status), 2);
        EXPECT_EQ(wait_for_child(one, &status, 0), one);
        EXPECT_EQ(WEXITSTATUS(status), 1);
        errno = 0;
        EXPECT_EQ(wait_for_child(one, &status, 0), -1);
        EXPECT_EQ(errno, ECHILD);
    });
}

TEST(ChildProcesses, ThatRunAreNotWaitedForWithNoHang) {
    run_ranks_with_libc(1, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        int status = 0;
        const pid_t child = start("exec sleep 30");
        EXPECT_EQ(wait_for_child(-1, &status, WNOHANG), 0);
        ::kill(child, SIGTERM);
        EXPECT_EQ(wait_for_child(child, &status, 0), child);
        EXPECT_EQ(WTERMSIG(status), SIGTERM);
    });
}

} // namespace
} // namespace thrum
