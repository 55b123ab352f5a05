// Tests Hardware on a tree of files like the kernel's.
#include "fiber/hardware.h"
#include "fiber/places.h"
#include "fiber/testing/machine.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace thrum {
namespace {

using thrum::testing::FakeMachine;
using thrum::testing::first_processors;

// Eight processors: two packages of two cores of two threads; a NUMA node and an L3 cache for each
// package, an L2 cache for each core.
class EightProcessors : public FakeMachine {
public:
    EightProcessors() {
        for (int p = 0; p < 8; ++p) {
            const int package = p / 4, core = p / 2;
            add({p, package, package, list(2 * core, 2), list(2 * core, 2), list(4 * package, 4)});
        }
        std::filesystem::create_directories(root() + "/cpu/cpufreq"); // no processor
    }

private:
    static std::string list(int first, int count) {
        return std::to_string(first) + "-" + std::to_string(first + count - 1);
    }
};

cpu_set_t processors(std::initializer_list<size_t> numbers) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t number : numbers)
        CPU_SET(number, &set);
    return set;
}

TEST(Hardware, TypesGoFromLargeToSmall) {
    EightProcessors machine;
    Hardware hardware(machine.root());
    EXPECT_EQ(hardware.types(),
              (std::vector<std::string>{"hwloc://Machine", "hwloc://Package", "hwloc://NUMANode",
                                        "hwloc://L3Cache", "hwloc://L2Cache", "hwloc://Core",
                                        "hwloc://PU"}));
    EXPECT_EQ(hardware.find("hwloc://Core"), 5);
    EXPECT_EQ(hardware.find("hwloc://Teapot"), -1);
}

TEST(Hardware, OnlyASingleInstanceCounts) {
    EightProcessors machine;
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
    EightProcessors machine;
    machine.remove("cpu/cpu3/cache/index2/level");
    machine.remove("cpu/cpu6/topology/physical_package_id");
    Hardware hardware(machine.root());
    EXPECT_EQ(hardware.find("hwloc://L3Cache"), -1);
    EXPECT_EQ(hardware.find("hwloc://Package"), -1);
    EXPECT_GE(hardware.find("hwloc://NUMANode"), 0);
}

// Two nodes of two caches of two cores of two threads: the second thread of core c is c + 8.
TEST(Hardware, NeighboursInOrderShareMost) {
    FakeMachine machine;
    machine.add_nodes(2, 2, 2, 2);
    Hardware hardware(machine.root());
    EXPECT_EQ(hardware.in_order(first_processors(16)),
              (std::vector<int>{0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}));
    EXPECT_EQ(hardware.in_order(processors({1, 3, 9, 12, 40})), (std::vector<int>{1, 9, 3, 12}));
    EXPECT_EQ(hardware.instance_of(hardware.find("hwloc://L3Cache"), 11), 2);
    EXPECT_EQ(hardware.instance_of(hardware.find("hwloc://NUMANode"), 12), 1);
    EXPECT_EQ(hardware.instance_of(hardware.find("hwloc://NUMANode"), 16), -1);
}

// Nodes may be dealt to packages and processors in any way: here odd processors are on node 1.
TEST(Hardware, NumbersOfProcessorsNeedNotFollowTheNodes) {
    FakeMachine machine;
    for (int p = 0; p < 6; ++p) {
        const std::string own = std::to_string(p);
        machine.add({p, p % 2, p % 2, own, own, p % 2 ? "1,3,5" : "0,2,4"});
    }
    EXPECT_EQ(Hardware(machine.root()).in_order(first_processors(6)),
              (std::vector<int>{0, 2, 4, 1, 3, 5}));
}

TEST(Hardware, ThisMachineHasProcessors) {
    const Hardware &hardware = Hardware::of_this_machine();
    EXPECT_GE(hardware.find("hwloc://PU"), 0);
    EXPECT_EQ(hardware.instances_of(processors_of_caller())[0], 0);
}

} // namespace
} // namespace thrum
