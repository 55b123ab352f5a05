#include "base/check.h"
#include "base/fabric_settings.h"
#include "base/job_settings.h"
#include "base/setting_table.h"
#include "base/settings.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace thrum {
namespace {

// Reads an environment of one variable. Returns "", or the error.
std::string read_variable(const std::string &variable) {
    static std::set<std::string> kept; // settings of texts refer to them
    char text[512] = "";
    const char *environment[] = {kept.insert(variable).first->c_str(), nullptr};
    run_attempt([](void *e) { read_settings(static_cast<const char *const *>(e)); },
                static_cast<void *>(environment), text, sizeof text);
    return text;
}

void expect_refused(const std::string &variable, const std::string &expected) {
    EXPECT_EQ(read_variable(variable), variable + ": expected " + expected);
}

TEST(Settings, NamesVariablesAndOptionsAreUnique) {
    std::set<std::string> names;
    for (const Setting &setting : setting_table()) {
        EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
        EXPECT_TRUE(names.insert(setting.variable).second) << setting.variable;
        EXPECT_TRUE(!*setting.option || names.insert(setting.option).second) << setting.option;
        EXPECT_EQ(&find_setting(setting.name), &setting);
    }
    EXPECT_GT(names.size(), 80u);
}

TEST(Settings, CountsHaveLimits) {
    EXPECT_EQ(read_variable("THRUM_WORKERS=1"), "");
    EXPECT_EQ(settings().workers, 1);
    EXPECT_EQ(read_variable("THRUM_WORKERS=2147483647"), "");
    EXPECT_EQ(settings().workers, INT32_MAX);
    for (const char *wrong : {"0", "-1", "", "x", "1x", "2147483648", "99999999999999999999"})
        expect_refused(std::string("THRUM_WORKERS=") + wrong, "a whole number of at least 1");
    EXPECT_EQ(read_variable("THRUM_SPIN_LIMIT=0"), "");
    EXPECT_EQ(settings().spin_limit.load(std::memory_order_relaxed), 0u);
    EXPECT_EQ(read_variable("THRUM_SPAWN=1"), "");
    EXPECT_EQ(settings().spawn, 1);
    expect_refused("THRUM_SPAWN=2", "0 or 1");
}

TEST(Settings, SeedsMayLimitTheChoices) {
    EXPECT_EQ(settings().seed, nullptr);
    const auto read = [](const char *text) {
        EXPECT_EQ(read_variable(std::string("THRUM_SEED=") + text), "");
        EXPECT_STREQ(settings().seed, text);
        return std::pair(settings().seed_number, settings().seeded_choices);
    };
    EXPECT_EQ(read("0"), std::pair(uint64_t{0}, UINT64_MAX));
    EXPECT_EQ(read("18446744073709551615"), std::pair(UINT64_MAX, UINT64_MAX));
    EXPECT_EQ(read("7:0"), std::pair(uint64_t{7}, uint64_t{0}));
    EXPECT_EQ(read("007:120"), std::pair(uint64_t{7}, uint64_t{120}));
    for (const char *wrong : {"", ":", "7:", ":7", "-1", "+1", " 1", "1 ", "0x1", "7:1:2", "7:-1",
                              "18446744073709551616", "99999999999999999999999", "7:x", "seed"})
        expect_refused(std::string("THRUM_SEED=") + wrong,
                       "a whole number below 2^64, alone or with a number of choices, such as 7 "
                       "or 7:120");
}

TEST(Settings, SizesHaveUnits) {
    EXPECT_EQ(read_variable("THRUM_STACK=3M"), "");
    EXPECT_EQ(settings().stack_bytes, size_t{3} << 20);
    for (const char *wrong : {"", "0", "-1", "M", "1T", "99999999999G"})
        expect_refused(std::string("THRUM_STACK=") + wrong, "a size such as 262144, 256K or 8M");
    expect_refused("THRUM_BSP_BUFFER=0", "a size such as 262144, 256K or 8M");
}

TEST(Settings, WordsStandForNumbers) {
    EXPECT_EQ(read_variable("THRUM_STDIN=all"), "");
    EXPECT_EQ(settings().stdin_rank, Settings::stdin_of_all);
    EXPECT_EQ(read_variable("THRUM_STDIN=none"), "");
    EXPECT_EQ(settings().stdin_rank, Settings::stdin_of_none);
    EXPECT_EQ(read_variable("THRUM_STDIN=0"), "");
    EXPECT_EQ(settings().stdin_rank, 0);
    expect_refused("THRUM_STDIN=-1", "a whole number of at least 0, \"none\" or \"all\"");
    EXPECT_EQ(read_variable("THRUM_MEMORY=unlimited"), "");
    EXPECT_EQ(settings().memory_bytes, SIZE_MAX);
}

TEST(Settings, ChoicesArePositionsAndWordsAreTexts) {
    EXPECT_EQ(read_variable("THRUM_THREADS=os"), "");
    EXPECT_TRUE(settings().os_threads);
    EXPECT_EQ(read_variable("THRUM_THREADS=fiber"), "");
    EXPECT_FALSE(settings().os_threads);
    EXPECT_NE(read_variable("THRUM_THREADS=fibers"), "");
    EXPECT_EQ(read_variable("THRUM_INITIAL_ERRHANDLER=MPI_Errors_Return"), "");
    EXPECT_STREQ(settings().initial_errhandler, "mpi_errors_return");
    expect_refused("THRUM_INITIAL_ERRHANDLER=",
                   "mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return");
}

TEST(Settings, SwitchesAreZeroOrOne) {
    EXPECT_EQ(read_variable("THRUM_SINGLETON=1"), "");
    EXPECT_TRUE(settings().singleton);
    EXPECT_EQ(read_variable("THRUM_SINGLETON=0"), "");
    EXPECT_FALSE(settings().singleton);
    for (const char *wrong : {"", "2", "yes", "01", "10"})
        expect_refused(std::string("THRUM_SINGLETON=") + wrong, "0 or 1");
}

TEST(Settings, ChecksHaveFourLevels) {
    const auto read = [](const char *text) {
        EXPECT_EQ(read_variable(std::string("THRUM_CHECK=") + text), "");
        return std::pair(settings().is_strict(), settings().finds_leaks());
    };
    EXPECT_EQ(read("0"), std::pair(false, true));
    EXPECT_EQ(settings().check, Settings::check_warns);
    EXPECT_EQ(read("1"), std::pair(true, true));
    EXPECT_EQ(settings().check, Settings::check_is_strict);
    EXPECT_EQ(read("off"), std::pair(false, false));
    EXPECT_EQ(settings().check, Settings::check_is_off);
    EXPECT_EQ(read("error"), std::pair(true, true));
    EXPECT_EQ(settings().check, Settings::check_fails);
    for (const char *wrong : {"", "2", "on", "errors", "-1"})
        expect_refused(std::string("THRUM_CHECK=") + wrong,
                       "0 (warnings), 1 (uses that the standard forbids are errors, and buffers "
                       "are checked), off (no warnings) or error (the same as 1, and warnings make "
                       "the exit code 1)");
}

TEST(Settings, SecondsAreGreaterThanTheirLimit) {
    EXPECT_EQ(read_variable("THRUM_HOST_TIMEOUT=2.5"), "");
    EXPECT_EQ(fabric_settings().host_timeout_s, 2);
    EXPECT_EQ(read_variable("THRUM_HOST_TIMEOUT="), ""); // as not set
    EXPECT_EQ(fabric_settings().host_timeout_s, 2);
    for (const char *wrong : {"1", "0", "-5", "x", "2x", "nan", "inf", "1000001"})
        expect_refused(std::string("THRUM_HOST_TIMEOUT=") + wrong,
                       "a number of seconds greater than 1");
}

TEST(Settings, TheEntryOfTheLaunchedProcessIsRemembered) {
    EXPECT_EQ(read_variable("THRUM_LAUNCH_PID=77"), "");
    EXPECT_EQ(settings().launcher_pid, 77);
    EXPECT_STREQ(job_settings().launch_entry, "THRUM_LAUNCH_PID=77");
    EXPECT_EQ(read_variable("THRUM_LAUNCH_PID=0"), "");
}

// A typing error in the launcher's variables is mpiexec's matter: an MPI program under srun runs.
TEST(Settings, OnlyTheLibrarysVariablesAreRead) {
    EXPECT_EQ(read_variable("THRUM_LAUNCHER=pigeon"), "");
    EXPECT_FALSE(find_setting("launcher").parse("pigeon"));
    EXPECT_TRUE(find_setting("launcher").parse("fork"));
}

} // namespace
} // namespace thrum
