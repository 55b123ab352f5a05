// The files of a run become a trace.
#include "explore/trace_file.h"
#include "record/record_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mpiexec {
namespace {

using thrum::Outcome;
using thrum::OutcomeKind;

class TraceFileTest : public testing::Test {
protected:
    void SetUp() override {
        char pattern[] = "/tmp/thrum-trace-XXXXXX";
        directory_ = ::mkdtemp(pattern);
    }

    void TearDown() override { std::filesystem::remove_all(directory_); }

    void write(const thrum::RecordedOutcomes &outcomes, const std::string &choices) {
        const std::string record = directory_ + thrum::explored_record;
        ASSERT_EQ(thrum::write_record(record.c_str(), 2, outcomes), "");
        std::ofstream(directory_ + thrum::explored_choices) << "thrum choices, format 1\n"
                                                            << choices;
    }

    std::string reason() {
        const auto read = read_trace(directory_, 2);
        const auto *refusal = std::get_if<NotExplored>(&read);
        return refusal ? refusal->reason : "";
    }

    std::string directory_;
};

TEST_F(TraceFileTest, ChoicesAreNumberedByTheirPlaceInTheRecord) {
    // MPI_Iprobe with a named source, at word 1, is no choice; the receive at word 4 got nothing.
    write({{{1, 0},
            {{OutcomeKind::Receive, 0},
             {OutcomeKind::Message, 0},
             {OutcomeKind::Missed, 5},
             {OutcomeKind::Message, 0},
             {OutcomeKind::Receive, thrum::unmatched_receive}}}},
          "choice 1 3 2 : 1 1 3\ntaken 0 0 : 0 4 7 : 1 1 1\n"
          "choice 1 0 1\ntaken 0\nother 1 : 0 2 3\nend\n");
    const auto read = read_trace(directory_, 2);
    ASSERT_TRUE(std::holds_alternative<Trace>(read));
    const Trace &trace = std::get<Trace>(read);
    EXPECT_TRUE(trace.choices[0].empty());
    ASSERT_EQ(trace.choices[1].size(), 3u);
    const Choice &receive = trace.choices[1][0], &probe = trace.choices[1][1];
    EXPECT_EQ(receive.word, 0u);
    ASSERT_EQ(receive.others.size(), 1u);
    EXPECT_EQ(receive.others[0].source, 1);
    EXPECT_EQ(receive.others[0].known[0].choices, 2u);
    EXPECT_EQ(receive.others[0].known[0].words, 3u);
    EXPECT_EQ(probe.word, 3u);
    EXPECT_EQ(probe.number, 2u);
    EXPECT_EQ(probe.posted[1].words, 3u);
    EXPECT_EQ(probe.taken.matched_before, (std::vector<uint32_t>{0}));
    EXPECT_EQ(probe.taken.known[0].words, 7u);
    EXPECT_EQ(trace.source_of({1, 2}), Choice::no_source);
    EXPECT_EQ(trace.source_of({1, 3}), Choice::no_source);
}

TEST_F(TraceFileTest, AJobThatCannotBeFollowedHasNoTrace) {
    write({}, "lost\nend\n");
    EXPECT_NE(reason().find("one-sided"), std::string::npos);
}

TEST_F(TraceFileTest, AJobThatLeavesNoWholeFileHasNoTrace) {
    write({}, "");
    EXPECT_NE(reason().find("does not end"), std::string::npos);
}

TEST_F(TraceFileTest, AJobWithOutcomesInSeveralThreadsHasNoTrace) {
    write({{{1, 1}, {{OutcomeKind::Receive, 0}}}}, "end\n");
    EXPECT_NE(reason().find("several threads of rank 1"), std::string::npos);
}

} // namespace
} // namespace mpiexec
