#include "plan/rank_file.h"
#include "plan/usage_error.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace mpiexec {
namespace {

std::vector<RankPlace> read(const std::string &text) {
    char name[] = "/tmp/thrum-ranks-XXXXXX";
    ::close(::mkstemp(name));
    std::ofstream(name) << text;
    try {
        std::vector<RankPlace> places = read_rank_file(name);
        ::unlink(name);
        return places;
    } catch (const UsageError &) {
        ::unlink(name);
        throw;
    }
}

std::string error_of(const std::string &text) {
    try {
        (void)read(text);
    } catch (const UsageError &error) {
        return error.what();
    }
    return "";
}

TEST(RankFile, CoresAreNumbersAndRanges) {
    const auto places = read("# two ranks\nrank 1=a slot=0-2,5\n\nrank 0 = b slot = 3\n");
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[0].rank, 1);
    EXPECT_EQ(places[0].host, "a");
    EXPECT_EQ(places[0].cores, (std::vector<int>{0, 1, 2, 5}));
    EXPECT_EQ(places[0].line, 2);
    EXPECT_EQ(places[1].cores, std::vector<int>{3});
}

TEST(RankFile, ErrorsNameLineAndWord) {
    for (const char *list : {"x", "1-", "3-1", "-1", "1,,2", "99999999"})
        EXPECT_NE(error_of(std::string("rank 0=a slot=") + list).find(std::string("slot=") + list),
                  std::string::npos)
            << list;
    EXPECT_NE(error_of("rank 0=a slot=0\nrank 0=b slot=1\n").find("line 2"), std::string::npos);
    EXPECT_NE(error_of("rank=0 a 3\n").find("rank N=HOST slot=CORES"), std::string::npos);
    EXPECT_THROW((void)read_rank_file("/nonexistent/ranks"), UsageError);
}

} // namespace
} // namespace mpiexec
