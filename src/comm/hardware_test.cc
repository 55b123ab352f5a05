// Tests Hardware on a tree of files like the kernel's.
#include "comm/hardware.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace thrum {
namespace {

// Eight processors: two packages of two cores of two threads; a NUMA node and an L3 cache for each
// package, an L2 cache for each core.
class FakeMachine {
public:
    FakeMachine() {
        char name[] = "/tmp/hardware_test_XXXXXX";
        if (!::mkdtemp(name))
            std::abort();
        root_ = name;
        for (int p = 0; p < 8; ++p) {
            std::string cpu = "cpu/cpu" + std::to_string(p);
            int package = p / 4, core = p / 2;
            write(cpu + "/topology/physical_package_id", std::to_string(package));
            write(cpu + "/topology/thread_siblings_list", list(2 * core, 2));
            std::filesystem::create_directories(root_ / cpu / ("node" + std::to_string(package)));
            write(cpu + "/cache/index0/level", "1");
            write(cpu + "/cache/index0/shared_cpu_list", list(2 * core, 2));
            write(cpu + "/cache/index1/level", "2");
            write(cpu + "/cache/index1/shared_cpu_list", list(2 * core, 2));
            write(cpu + "/cache/index2/level", "3");
            write(cpu + "/cache/index2/shared_cpu_list", list(4 * package, 4));
        }
        std::filesystem::create_directories(root_ / "cpu/cpufreq"); // no processor
    }

    ~FakeMachine() { std::filesystem::remove_all(root_); }

    FakeMachine(const FakeMachine &) = delete;
    FakeMachine &operator=(const FakeMachine &) = delete;

    void write(const std::string &path, const std::string &text) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << '\n';
    }

    void remove(const std::string &path) { std::filesystem::remove(root_ / path); }

    std::string root() const { return root_.string(); }

private:
    static std::string list(int first, int count) {
        return std::to_string(first) + "-" + std::to_string(first + count - 1);
    }

    std::filesystem::path root_;
};

cpu_set_t processors(std::initializer_list<size_t> numbers) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t number : numbers)
        CPU_SET(number, &set);
    return set;
}

TEST(Hardware, TypesGoFromLargeToSmall) {
    FakeMachine machine;
    Hardware hardware(machine.root());
    EXPECT_EQ(hardware.types(),
              (std::vector<std::string>{"hwloc://Machine", "hwloc://Package", "hwloc://NUMANode",
                                        "hwloc://L3Cache", "hwloc://L2Cache", "hwloc://Core",
                                        "hwloc://PU"}));
    EXPECT_EQ(hardware.find("hwloc://Core"), 5);
    EXPECT_EQ(hardware.find("hwloc://Teapot"), -1);
}

TEST(Hardware, OnlyASingleInstanceCounts) {
    FakeMachine machine;
    Hardware hardware(machine.root());
    // Machine, package, node, L3, L2, core, processor.
    EXPECT_EQ(hardware.instances_of(processors({5})), (std::vector<int>{0, 1, 1, 4, 4, 4, 5}));
    EXPECT_EQ(hardware.instances_of(processors({4, 5})), (std::vector<int>{0, 1, 1, 4, 4, 4, -1}));
    EXPECT_EQ(hardware.instances_of(processors({0, 3})),
              (std::vector<int>{0, 0, 0, 0, -1, -1, -1}));
    EXPECT_EQ(hardware.instances_of(processors({0, 7})),
              (std::vector<int>{0, -1, -1, -1, -1, -1, -1}));
    EXPECT_EQ(hardware.instances_of(processors({})), std::vector<int>(7, -1));
}

TEST(Hardware, WhatTheMachineDoesNotTellIsNoType) {
    FakeMachine machine;
    machine.remove("cpu/cpu3/cache/index2/level");
    machine.remove("cpu/cpu6/topology/physical_package_id");
    Hardware hardware(machine.root());
    EXPECT_EQ(hardware.find("hwloc://L3Cache"), -1);
    EXPECT_EQ(hardware.find("hwloc://Package"), -1);
    EXPECT_GE(hardware.find("hwloc://NUMANode"), 0);
}

TEST(Hardware, ThisMachineHasProcessors) {
    const Hardware &hardware = Hardware::of_this_machine();
    EXPECT_GE(hardware.find("hwloc://PU"), 0);
    EXPECT_EQ(hardware.instances_of_caller()[0], 0);
}

} // namespace
} // namespace thrum
