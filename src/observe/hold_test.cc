// Tests how long the ranks of a process are held that begins while others are held.
#include "observe/hold.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum::observe {
namespace {

class Hold : public testing::Test {
protected:
    void SetUp() override { ASSERT_NE(::mkdtemp(directory_.data()), nullptr); }

    void TearDown() override { std::filesystem::remove_all(directory_); }

    // Makes the file as if it had been touched then.
    void request(time_t seconds_ago) {
        const std::string path = directory_ + "/" + hold_request_name;
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        ASSERT_GE(file, 0);
        const timespec then{::time(nullptr) - seconds_ago, 0}, times[] = {then, then};
        EXPECT_EQ(::futimens(file, times), 0);
        ::close(file);
    }

    std::string directory_ = (std::filesystem::temp_directory_path() / "hold-XXXXXX").string();
};

TEST_F(Hold, NobodyIsHeldWithoutARequest) {
    EXPECT_EQ(requested_hold_ns(directory_.c_str()), 0);
}

TEST_F(Hold, ARequestHoldsForTheRestOfItsTime) {
    request(2);
    EXPECT_GT(requested_hold_ns(directory_.c_str()), 1'000'000'000);
    EXPECT_LE(requested_hold_ns(directory_.c_str()), hold_ns - 1'000'000'000);
}

TEST_F(Hold, ARequestOfAProgramThatWasKilledHoldsNobody) {
    request(60);
    EXPECT_EQ(requested_hold_ns(directory_.c_str()), 0);
}

TEST_F(Hold, AClockThatIsSetBackDoesNotMakeItLonger) {
    request(-1000);
    EXPECT_EQ(requested_hold_ns(directory_.c_str()), hold_ns);
}

} // namespace
} // namespace thrum::observe
