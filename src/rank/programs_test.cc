#include "rank/programs.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Programs, TheExampleOfTheSettingsIsUnderstood) {
    std::vector<ProgramSpecification> programs;
    ASSERT_TRUE(parse_programs(
        "2 1 0 0:12:/usr/bin/env3:env3 2 1 4:/tmp13:/usr/bin/echo4:echo1:x3:A=1", programs));
    ASSERT_EQ(programs.size(), 2u);
    EXPECT_EQ(programs[0].ranks, 2);
    EXPECT_EQ(programs[0].directory, "");
    EXPECT_EQ(programs[0].path, "/usr/bin/env");
    EXPECT_EQ(programs[0].arguments, std::vector<std::string>{"env"});
    EXPECT_EQ(programs[1].ranks, 3);
    EXPECT_EQ(programs[1].directory, "/tmp");
    EXPECT_EQ(programs[1].arguments, (std::vector<std::string>{"echo", "x"}));
    EXPECT_TRUE(programs[0].environment.empty());
    EXPECT_EQ(programs[1].environment, std::vector<std::string>{"A=1"});
}

TEST(Programs, AnythingElseIsRefused) {
    for (const char *text : {"", "x", "2", "2 1 ", "2 1 0 ", "0 1 0 0:1:a1:a", "2 1 0 0:99:short",
                             "2 2 0 0:1:a1:a", "-1 1 0 0:1:a1:a", "2 1 1 0:1:a1:a"}) {
        std::vector<ProgramSpecification> programs;
        EXPECT_FALSE(parse_programs(text, programs)) << text;
    }
}

} // namespace
} // namespace thrum
