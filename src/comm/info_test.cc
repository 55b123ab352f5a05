#include "comm/info.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Info, KeepsTheOrderOfInsertionAndOverwritesInPlace) {
    Info *info = new_info();
    info->set("b", "1");
    info->set("a", "2");
    info->set("b", "3");
    ASSERT_EQ(info->entries.size(), 2u);
    EXPECT_EQ(info->entries[0], std::pair(std::string("b"), std::string("3")));
    EXPECT_EQ(*info->get("a"), "2");
    EXPECT_TRUE(info->erase("b"));
    EXPECT_FALSE(info->erase("b"));
    EXPECT_EQ(info->get("b"), nullptr);
    delete_info(info);
}

TEST(Info, ACopyIsIndependent) {
    Info *info = new_info();
    info->set("k", "old");
    Info *copy = copy_info(*info);
    info->set("k", "new");
    EXPECT_EQ(*copy->get("k"), "old");
    delete_info(info);
    EXPECT_EQ(*copy->get("k"), "old");
    delete_info(copy);
}

TEST(Info, AFreedHandleIsNoInfo) {
    Info *info = new_info();
    EXPECT_EQ(find_info(info), info);
    delete_info(info);
    EXPECT_EQ(find_info(info), nullptr);
    EXPECT_EQ(find_info(MPI_INFO_NULL), nullptr);
}

TEST(Info, TheEnvironmentTellsCommandArgumentsAndNumberOfProcesses) {
    const char *argv[] = {"./solver", "-n", "5", nullptr};
    Info *info = new_environment_info(3, argv, 12);
    EXPECT_EQ(*info->get("command"), "./solver");
    EXPECT_EQ(*info->get("argv"), "-n 5");
    EXPECT_EQ(*info->get("maxprocs"), "12");
    EXPECT_NE(info->get("wdir"), nullptr);
    EXPECT_NE(info->get("arch"), nullptr);
    delete_info(info);
}

} // namespace
} // namespace thrum
