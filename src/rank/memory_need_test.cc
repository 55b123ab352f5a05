#include "rank/memory_need.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr uint64_t mib = 1 << 20;

// /proc and /sys/fs/cgroup as the tests want them.
class MemoryNeed : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "memory_need.XXXXXX";
        ASSERT_TRUE(::mkdtemp(pattern.data()));
        directory = pattern;
    }

    void TearDown() override { std::filesystem::remove_all(directory); }

    void write(const std::string &path, const std::string &text) const {
        std::filesystem::create_directories((directory / path).parent_path());
        std::ofstream(directory / path) << text;
    }

    AvailableMemory find() const {
        return find_available_memory(directory / "proc", directory / "cgroup");
    }

    std::filesystem::path directory;
};

TEST_F(MemoryNeed, OfAMachineIsWhatIsAvailableWithItsSwap) {
    write("proc/meminfo", "MemTotal:  9999 kB\nMemAvailable:   2048 kB\nSwapFree:  1024 kB\n");
    EXPECT_EQ(find().bytes, 3 * mib);
    EXPECT_EQ(find().source, "MemAvailable in /proc/meminfo");
}

TEST_F(MemoryNeed, IsUnlimitedWhereNobodySays) {
    EXPECT_EQ(find().bytes, UINT64_MAX);
}

TEST_F(MemoryNeed, TheNarrowestControlGroupCountsWithoutItsFilePages) {
    write("proc/meminfo", "MemAvailable: 1048576 kB\nSwapFree: 0 kB\n");
    write("proc/self/cgroup", "0::/user/job\n");
    write("cgroup/user/job/memory.max", "max\n");
    write("cgroup/user/memory.max", std::to_string(100 * mib) + "\n");
    write("cgroup/user/memory.current", std::to_string(70 * mib) + "\n");
    write("cgroup/user/memory.stat", "anon 1\ninactive_file " + std::to_string(10 * mib) +
                                         "\nactive_file " + std::to_string(5 * mib) + "\n");
    EXPECT_EQ(find().bytes, 45 * mib);
    EXPECT_EQ(find().source, "the limit of memory control group /user");
}

TEST_F(MemoryNeed, ControlGroupsOfTheFirstVersionCountToo) {
    write("proc/meminfo", "MemAvailable: 1048576 kB\n");
    write("proc/self/cgroup", "5:cpu,memory:/outside\n4:pids:/\n0::/\n");
    write("cgroup/memory/memory.limit_in_bytes", std::to_string(64 * mib) + "\n");
    write("cgroup/memory/memory.usage_in_bytes", std::to_string(mib) + "\n");
    EXPECT_EQ(find().bytes, 63 * mib);
    write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(find().bytes, 1024 * mib);
}

using MemoryNeedDeath = MemoryNeed;

TEST_F(MemoryNeedDeath, MoreThanTheMachineHasIsRefusedWithFigures) {
    EXPECT_EXIT(refuse_too_many_for_memory(1 << 30, uint64_t{1} << 60, "a.out", true),
                testing::ExitedWithCode(2),
                "1073741824 ranks of a.out need at least 1073741824.0 GiB of memory .1024 MiB "
                "each.*, but .* are available .*--privatize.*THRUM_MEMORY=SIZE");
    refuse_too_many_for_memory(2, 1, "a.out", true);
}

TEST_F(MemoryNeedDeath, TheLibraryThatMakesRanksClonesIsNamed) {
    EXPECT_EXIT(refuse_too_many_for_memory(1 << 30, uint64_t{1} << 60, "a.out", true,
                                           "libx.so is not compiled with --privatize"),
                testing::ExitedWithCode(2),
                "enough for [0-9]+ ranks; they are clones because libx.so is not compiled with "
                "--privatize. Use fewer ranks");
}

} // namespace
} // namespace thrum
