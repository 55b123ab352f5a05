#include "base/check.h"
#include "base/fabric_settings.h"
#include "base/settings.h"

#include <gtest/gtest.h>
#include <string>

namespace thrum {
namespace {

// Returns "", or the error in this one environment variable.
std::string read_variable(const std::string &variable) {
    char text[512] = "";
    const char *environment[] = {variable.c_str(), nullptr};
    run_attempt([](void *e) { read_settings(static_cast<const char *const *>(e)); },
                static_cast<void *>(environment), text, sizeof text);
    return text;
}

TEST(FabricSettings, AListNamesSharedMemoryAndOneProvider) {
    struct {
        const char *list;
        bool shared_memory, network;
        const char *provider;
    } cases[] = {{"shm", true, false, ""},      {"auto", false, true, ""},
                 {"tcp", false, true, "tcp"},   {"shm,auto", true, true, ""},
                 {"auto,shm", true, true, ""},  {"shm,verbs;ofi_rxm", true, true, "verbs;ofi_rxm"},
                 {"efa,shm", true, true, "efa"}};

    for (const auto &one : cases) {
        EXPECT_EQ(read_variable(std::string("THRUM_FABRIC=") + one.list), "");
        const FabricSettings &s = fabric_settings();
        EXPECT_EQ(s.shared_memory, one.shared_memory) << one.list;
        EXPECT_EQ(s.network, one.network) << one.list;
        EXPECT_STREQ(s.provider, one.provider) << one.list;
    }
}

TEST(FabricSettings, AListThatIsNoneIsRefusedWithItsValue) {
    for (std::string list :
         {"", ",", "shm,", ",shm", "tcp,udp", "auto,tcp", "two words", "shm,,tcp", "tcp,shm,udp"})
        EXPECT_EQ(
            read_variable("THRUM_FABRIC=" + list).rfind("THRUM_FABRIC=" + list + ": expected ", 0),
            0U)
            << list;
    EXPECT_NE(read_variable("THRUM_FABRIC=" + std::string(64, 'x')), "");
    EXPECT_EQ(read_variable("THRUM_FABRIC=" + std::string(63, 'x')), "");
}

TEST(FabricSettings, SizesHaveLimits) {
    EXPECT_EQ(read_variable("THRUM_SHORT_LIMIT=8K"), "");
    EXPECT_EQ(fabric_settings().short_bytes_max, 8192U);
    EXPECT_EQ(read_variable("THRUM_SHORT_LIMIT=0"), "");
    EXPECT_EQ(fabric_settings().short_bytes_max, 0U);
    for (const char *wrong : {"8193", "", "-1", "x", "1X"})
        EXPECT_EQ(read_variable(std::string("THRUM_SHORT_LIMIT=") + wrong),
                  std::string("THRUM_SHORT_LIMIT=") + wrong + ": expected a size of at most 8K");
}

TEST(FabricSettings, ReceiversAreCounted) {
    EXPECT_EQ(read_variable("THRUM_RECEIVERS=16"), "");
    EXPECT_EQ(fabric_settings().receivers, 16);
    EXPECT_EQ(read_variable("THRUM_RECEIVERS=1"), "");
    EXPECT_EQ(fabric_settings().receivers, 1);
    for (const char *wrong : {"", "0", "17", "-1", "x"})
        EXPECT_EQ(read_variable(std::string("THRUM_RECEIVERS=") + wrong),
                  std::string("THRUM_RECEIVERS=") + wrong + ": expected a number from 1 to 16");
}

TEST(FabricSettings, ASwitchIsZeroOrOne) {
    EXPECT_EQ(read_variable("THRUM_SINGLE_COPY=0"), "");
    EXPECT_FALSE(fabric_settings().single_copy);
    EXPECT_EQ(read_variable("THRUM_SINGLE_COPY=1"), "");
    EXPECT_TRUE(fabric_settings().single_copy);
    for (const char *wrong : {"", "2", "yes", "00"})
        EXPECT_NE(read_variable(std::string("THRUM_SINGLE_COPY=") + wrong), "");
    EXPECT_EQ(read_variable("THRUM_HUGE_PAGES=0"), "");
    EXPECT_FALSE(fabric_settings().huge_pages);
}

} // namespace
} // namespace thrum
