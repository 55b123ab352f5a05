// The status page, as mpiexec sees it in the file that it has made.
#include "base/settings.h"
#include "rank/rank.h"
#include "rank/status_page.h"

#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thrum {
namespace {

// The file of the job; all tests of the process share one page, as a process has one.
class StatusFile : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        descriptor_ = ::memfd_create("status", 0);
        ASSERT_GE(descriptor_, 0);
        static std::string entry = "THRUM_STATUS=/proc/self/fd/" + std::to_string(descriptor_);
        static const char *const environment[] = {entry.c_str(), nullptr};
        read_settings(environment);
        create_ranks(3);
        void *memory = ::mmap(nullptr, file_bytes(), PROT_READ, MAP_SHARED, descriptor_, 0);
        ASSERT_NE(memory, MAP_FAILED);
        seen_ = static_cast<const char *>(memory);
    }

    static size_t file_bytes() {
        struct stat status = {};
        ::fstat(descriptor_, &status);
        return static_cast<size_t>(status.st_size);
    }

    static const StatusPage &page() { return *reinterpret_cast<const StatusPage *>(seen_); }

    static const char *rank_memory(int rank) {
        return seen_ + StatusPage::bytes + static_cast<size_t>(rank) * page().rank_bytes;
    }

    static inline int descriptor_ = -1;
    static inline const char *seen_ = nullptr;
};

TEST_F(StatusFile, DescribesTheTableOfRanks) {
    EXPECT_EQ(page().magic.load(std::memory_order_acquire), StatusPage::expected_magic);
    EXPECT_EQ(page().first_rank, 0);
    EXPECT_EQ(page().rank_count, 3);
    EXPECT_EQ(page().rank_bytes, sizeof(Rank));
    EXPECT_EQ(page().owner.load(std::memory_order_relaxed), ::getpid());
    EXPECT_GE(file_bytes(), StatusPage::bytes + 3 * sizeof(Rank));
}

TEST_F(StatusFile, ShowsWhichFunctionARankIsIn) {
    rank_at(2).call.function.store(77, std::memory_order_relaxed);
    rank_at(1).ended.store(true, std::memory_order_relaxed);
    const char *second = rank_memory(2), *first = rank_memory(1);
    EXPECT_EQ(*reinterpret_cast<const uint16_t *>(second + page().function_offset), 77);
    EXPECT_EQ(second[page().ended_offset], 0);
    EXPECT_EQ(first[page().ended_offset], 1);
}

TEST_F(StatusFile, ShowsThatTheJobShallEnd) {
    EXPECT_EQ(page().ends_job.load(std::memory_order_relaxed), 0U);
    EXPECT_FALSE(end_of_job_is_announced());
    announce_end_of_job();
    EXPECT_EQ(page().ends_job.load(std::memory_order_relaxed), 1U);
    EXPECT_TRUE(end_of_job_is_announced());
}

TEST_F(StatusFile, DoesNotShowWhatAChildOfForkWrites) {
    const pid_t child = ::fork();
    if (child == 0) {
        rank_at(0).call.function.store(99, std::memory_order_relaxed);
        ::_exit(status_page() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(*reinterpret_cast<const uint16_t *>(rank_memory(0) + page().function_offset), 0);
}

TEST_F(StatusFile, LetsOneProcessTakeTheRanksPlace) {
    EXPECT_EQ(take_place(), 0);
    const pid_t parent = ::getpid(), child = ::fork();
    if (child == 0) {
        leave_place(); // the parent's descriptor
        ::_exit(take_place() == parent ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    leave_place();
    EXPECT_EQ(take_place(), 0);
    leave_place();
}

} // namespace
} // namespace thrum
