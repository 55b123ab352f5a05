#include "rank/program_list.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace thrum {
namespace {

constexpr const char *two_programs =
    "2 1 0:12:/usr/bin/env3:env3 3 4:/tmp13:/usr/bin/echo4:echo3:a b0:";

std::vector<std::string> arguments_of(const ProgramRecord &record) {
    std::vector<std::string> arguments;
    const char *cursor = record.arguments;
    std::string_view text;
    for (int i = 0; i < record.argc && next_string(cursor, text); ++i)
        arguments.emplace_back(text);
    return arguments;
}

TEST(ProgramList, RecordsComeInRankOrderWithTheirStrings) {
    const char *cursor = two_programs;
    ProgramRecord record;
    ASSERT_TRUE(next_program(cursor, record));
    EXPECT_EQ(record.ranks, 2);
    EXPECT_EQ(record.working_directory, "");
    EXPECT_EQ(record.path, "/usr/bin/env");
    EXPECT_EQ(arguments_of(record), std::vector<std::string>{"env"});
    ASSERT_TRUE(next_program(cursor, record));
    EXPECT_EQ(record.ranks, 3);
    EXPECT_EQ(record.working_directory, "/tmp");
    EXPECT_EQ(arguments_of(record), (std::vector<std::string>{"echo", "a b", ""}));
    EXPECT_EQ(*cursor, 0);
    EXPECT_FALSE(next_program(cursor, record));
}

TEST(ProgramList, ARankFindsItsProgram) {
    ProgramRecord record;
    for (int world_rank = 0; world_rank < 5; ++world_rank) {
        ASSERT_TRUE(find_program(two_programs, world_rank, record));
        EXPECT_EQ(record.path, world_rank < 2 ? "/usr/bin/env" : "/usr/bin/echo");
    }
    EXPECT_FALSE(find_program(two_programs, 5, record));
}

TEST(ProgramList, StringsMayHoldColonsBlanksAndDigits) {
    const char *cursor = "1 2 0:2:/a5:3:x 24:9 1:";
    ProgramRecord record;
    ASSERT_TRUE(next_program(cursor, record));
    EXPECT_EQ(arguments_of(record), (std::vector<std::string>{"3:x 2", "9 1:"}));
}

TEST(ProgramList, DamagedTextIsRefusedAndNotReadBeyondItsEnd) {
    ProgramRecord record;
    std::string whole = two_programs;
    for (size_t length = 0; length < whole.size(); ++length) {
        std::string part = whole.substr(0, length);
        const char *cursor = part.c_str();
        int records = 0;
        while (next_program(cursor, record))
            ++records;
        EXPECT_LE(records, 1) << part;
        EXPECT_LE(cursor, part.c_str() + length);
    }
    for (const char *damaged :
         {"x", "-1 1 0:0:0:", "1 1", "99999999999 1 0:0:0:", "1 1 0:9:/a0:"}) {
        const char *cursor = damaged;
        EXPECT_FALSE(next_program(cursor, record)) << damaged;
        EXPECT_EQ(cursor, damaged);
    }
}

} // namespace
} // namespace thrum
