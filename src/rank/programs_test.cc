#include "rank/programs.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Programs, EverythingAboutThemReadsBack) {
    const std::vector<ProgramSpecification> programs{
        {2, "", "/usr/bin/env", {"env"}, {}},
        {3, "/tmp", "/usr/bin/echo", {"echo", "x", ""}, {"A=1:2;3", "B="}}};
    std::vector<ProgramSpecification> read;
    ASSERT_TRUE(parse_programs(encode_programs(programs).c_str(), read));
    EXPECT_EQ(read, programs);
}

TEST(Programs, AnythingElseIsRefused) {
    const std::string good = encode_programs({{2, "", "/bin/a", {"a"}, {"A=1"}}});
    std::vector<ProgramSpecification> read;
    EXPECT_TRUE(parse_programs(good.c_str(), read));
    for (size_t size = 0; size < good.size(); ++size)
        EXPECT_FALSE(parse_programs(good.substr(0, size).c_str(), read)) << size;
    EXPECT_FALSE(parse_programs((good + "1;").c_str(), read));
    EXPECT_FALSE(parse_programs("0;", read)) << "no program";
    EXPECT_FALSE(parse_programs(encode_programs({{0, "", "/bin/a", {"a"}, {}}}).c_str(), read))
        << "no ranks";
}

} // namespace
} // namespace thrum
