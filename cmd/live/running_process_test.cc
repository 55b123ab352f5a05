#include "running_process.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace live {
namespace {

// Returns a child that waits to be killed; with the given id if the system lets us choose it.
pid_t start_child(pid_t wanted) {
    if (wanted > 0)
        std::ofstream("/proc/sys/kernel/ns_last_pid") << wanted - 1;
    const pid_t child = ::fork();
    if (child == 0)
        for (;;)
            ::pause();
    return child;
}

void end(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST(RunningProcess, OneThatWaitsForItsParentIsNotAlive) {
    const pid_t child = start_child(0);
    const RunningProcess process(child);
    EXPECT_TRUE(process.is_alive());
    ::kill(child, SIGKILL);
    siginfo_t info;
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_FALSE(process.is_alive());
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(process.is_alive());
}

TEST(RunningProcess, ALaterOneWithTheSameIdIsAnotherOne) {
    const pid_t child = start_child(0);
    const RunningProcess process(child);
    end(child);
    ::usleep(50'000); // times are in units of 10 ms
    const pid_t later = start_child(child);
    EXPECT_FALSE(process.is_alive());
    EXPECT_TRUE(RunningProcess(later).is_alive());
    end(later);
    if (later != child)
        GTEST_SKIP() << "only root can choose the id of a process";
}

TEST(RunningProcess, FilesOfAProcessThatHasEndedAreNone) {
    const pid_t child = start_child(0);
    EXPECT_FALSE(mapped_files(child).empty());
    end(child);
    EXPECT_TRUE(mapped_files(child).empty());
}

// A fact's name in the library may lie anywhere.
TEST(RunningProcess, ATextIsReadToItsEndAcrossPages) {
    constexpr size_t page = 4096;
    auto *pages = static_cast<char *>(
        ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(pages, MAP_FAILED);
    const auto read_at = [&](size_t offset) {
        return read_text(::getpid(), reinterpret_cast<uint64_t>(pages + offset));
    };
    const std::string name = "debugged_object_bytes", path(600, 'p');
    std::strcpy(pages + page - 10, name.c_str());
    std::strcpy(pages + 100, path.c_str());
    EXPECT_EQ(read_at(page - 10), name);
    EXPECT_EQ(read_at(100), path);
    ::mprotect(pages + 2 * page, page, PROT_NONE);
    std::memset(pages + 2 * page - 3, 'e', 3); // a text that nothing ends
    EXPECT_EQ(read_at(2 * page - 3), "eee");
    EXPECT_EQ(read_at(2 * page), "");
    ::munmap(pages, 3 * page);
}

} // namespace
} // namespace live
