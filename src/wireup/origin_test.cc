#include "wireup/origin.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

const Origin origin{5, 3, 2, {0, 1, 2, 7}, "/dev/shm/a directory"};

TEST(Origin, EverythingAboutItReadsBack) {
    std::string job;
    Origin read;
    ASSERT_TRUE(parse_origin(encode_origin("a job", origin), job, read));
    EXPECT_EQ(job, "a job");
    EXPECT_EQ(read, origin);
}

TEST(Origin, AnythingElseIsRefused) {
    std::string job;
    Origin read;
    const std::string good = encode_origin("job", origin);
    for (size_t size = 0; size < good.size(); ++size)
        EXPECT_FALSE(parse_origin(good.substr(0, size), job, read)) << size;
    Origin none = origin;
    none.count = 0;
    EXPECT_FALSE(parse_origin(encode_origin("job", none), job, read));
    none = origin;
    none.parents.clear();
    EXPECT_FALSE(parse_origin(encode_origin("job", none), job, read));
}

} // namespace
} // namespace thrum
