// Which file a command means, and what is said of one that cannot be an image.
#include "rank/added.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

class FindExecutable : public ::testing::Test {
protected:
    void SetUp() override {
        char name[] = "/tmp/thrum-added-XXXXXX";
        ASSERT_TRUE(::mkdtemp(name));
        directory_ = name;
    }

    void TearDown() override {
        for (const char *name : {"text", "script", "elf"})
            ::unlink((directory_ + "/" + name).c_str());
        ::rmdir(directory_.c_str());
    }

    std::string write(const std::string &name, const std::string &text, mode_t mode) {
        std::string path = directory_ + "/" + name;
        int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
        ::fchmod(file, mode);
        ::close(file);
        return path;
    }

    static std::string reason(const std::string &path) {
        std::string error;
        EXPECT_EQ(find_executable(path.c_str(), "", ProgramUse::Rank, error), "");
        return error;
    }

    std::string directory_;
};

TEST_F(FindExecutable, ThisProgramIsFoundByItsPath) {
    std::string error, found = find_executable("/proc/self/exe", "", ProgramUse::Rank, error);
    EXPECT_EQ(error, "");
    EXPECT_NE(found.find("added_test"), std::string::npos);
}

TEST_F(FindExecutable, WhatIsWrongWithAFileIsSaid) {
    EXPECT_EQ(reason("/no/such/program"), "/no/such/program: No such file or directory");
    EXPECT_NE(reason(directory_).find("is a directory, not a program"), std::string::npos);
    EXPECT_NE(reason(write("text", "text", 0644)).find("is not executable"), std::string::npos);
    EXPECT_NE(reason(write("script", "#!/bin/sh", 0755)).find("is a script"), std::string::npos);
    EXPECT_NE(reason(write("elf", "\177ELF nonsense", 0755)), "");
    EXPECT_EQ(reason(""), "the program name is empty");
}

} // namespace
} // namespace thrum
