// The files of a record: what is written is read again, whichever process has written it.
#include "record/record_file.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <sys/resource.h>

namespace thrum {
namespace {

class RecordFileTest : public testing::Test {
protected:
    void SetUp() override {
        char pattern[] = "/tmp/thrum-record-XXXXXX";
        directory_ = ::mkdtemp(pattern);
    }

    void TearDown() override { std::filesystem::remove_all(directory_); }

    // Writes `count` outcomes for a thread, in as many blocks as they need.
    static void write(RecordFile &file, const RecordedThread &thread, uint32_t count) {
        constexpr uint32_t room = RecordFile::block_words - RecordFile::block_header_words;
        uint32_t block = 0;
        for (uint32_t i = 0; i < count; ++i) {
            if (i % room == 0)
                block = file.new_block(thread);
            file.at(block + i % room)
                .store(Outcome{OutcomeKind::Receive, i}.word(), std::memory_order_relaxed);
        }
    }

    std::string directory_;
};

void expect_receives(const std::vector<Outcome> &outcomes, uint32_t count) {
    ASSERT_EQ(outcomes.size(), count);
    for (uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(outcomes[i], (Outcome{OutcomeKind::Receive, i}));
}

TEST_F(RecordFileTest, OutcomesOfAllThreadsAndProcessesAreReadInTheirOrder) {
    auto first = std::make_unique<RecordFile>(), second = std::make_unique<RecordFile>();
    ASSERT_EQ(first->create(directory_.c_str(), 0, 4), "");
    ASSERT_EQ(second->create(directory_.c_str(), 2, 4), "");
    write(*first, {0, 0}, 600);
    write(*first, {1, 0}, 1);
    write(*second, {3, 2}, 100'000);
    write(*first, {0, 1}, 254);
    const RecordedOutcomes all = read_record(directory_.c_str(), 0, 4);
    EXPECT_EQ(all.size(), 4u);
    expect_receives(all.at({0, 0}), 600);
    expect_receives(all.at({0, 1}), 254);
    expect_receives(all.at({1, 0}), 1);
    expect_receives(all.at({3, 2}), 100'000);
    EXPECT_EQ(read_record(directory_.c_str(), 1, 2).size(), 1u);
}

TEST_F(RecordFileTest, ARecordIsWrittenAtOnce) {
    const RecordedThread thread{1, 0}, other{2, 1};
    RecordedOutcomes outcomes;
    for (uint32_t i = 0; i < 1000; ++i)
        outcomes[thread].push_back({OutcomeKind::Receive, i});
    outcomes[other] = {{OutcomeKind::Missed, 7}};
    const std::string directory = directory_ + "/whole";
    ASSERT_EQ(write_record(directory.c_str(), 3, outcomes), "");
    EXPECT_EQ(why_not_replayed(directory.c_str(), 3), "");
    EXPECT_EQ(read_record(directory.c_str(), 0, 3), outcomes);
    EXPECT_NE(write_record(directory.c_str(), 3, outcomes).find("exists"), std::string::npos);
}

TEST_F(RecordFileTest, ARecordIsNotOverwritten) {
    auto first = std::make_unique<RecordFile>(), again = std::make_unique<RecordFile>();
    ASSERT_EQ(first->create(directory_.c_str(), 0, 4), "");
    EXPECT_NE(again->create(directory_.c_str(), 0, 4).find("exists"), std::string::npos);
}

// The limit of a file's size stands for a full disk. The file grows to 64, 128 and, by the rest
// that fits, 192 KiB.
TEST_F(RecordFileTest, AFullDiskEndsTheRecordAndNotTheJob) {
    constexpr uint32_t blocks = 300, fitting_blocks = 192;
    auto file = std::make_unique<RecordFile>();
    ASSERT_EQ(file->create(directory_.c_str(), 0, 4), "");
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{200 << 10, before.rlim_max};
    auto *handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    ::testing::internal::CaptureStderr();
    for (uint32_t i = 0; i < blocks; ++i)
        file->at(file->new_block({1, 0})).store(Outcome{OutcomeKind::Receive, i}.word());
    const std::string printed = ::testing::internal::GetCapturedStderr();
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(printed.find("warning: the record ends here, but the job goes on: cannot extend"),
              std::string::npos)
        << printed;
    const RecordedOutcomes outcomes = read_record(directory_.c_str(), 0, 4);
    ASSERT_EQ(outcomes.size(), 1U);
    ASSERT_EQ(outcomes.begin()->second.size(), fitting_blocks);
    EXPECT_EQ(outcomes.begin()->second.back(), (Outcome{OutcomeKind::Receive, fitting_blocks - 1}));
}

TEST_F(RecordFileTest, OnlyARecordOfAsManyRanksIsReplayed) {
    EXPECT_NE(why_not_replayed(directory_.c_str(), 4), "");
    RecordFile file;
    ASSERT_EQ(file.create(directory_.c_str(), 0, 4), "");
    EXPECT_EQ(why_not_replayed(directory_.c_str(), 4), "");
    EXPECT_NE(why_not_replayed(directory_.c_str(), 3).find("of 4 ranks, but this one has 3"),
              std::string::npos);
    std::ofstream(directory_ + "/job") << "another file\n";
    EXPECT_NE(why_not_replayed(directory_.c_str(), 4), "");
}

} // namespace
} // namespace thrum
