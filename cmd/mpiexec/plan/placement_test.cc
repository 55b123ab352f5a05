#include "plan/placement.h"
#include "plan/usage_error.h"

#include <gtest/gtest.h>

namespace mpiexec {
namespace {

// Two sockets of two cores with two hardware threads each, numbered as Linux does: 0 to 3 are the
// first threads of all cores.
Topology two_sockets() {
    Topology topology;
    topology.is_real = false;
    for (int core = 0; core < 4; ++core)
        topology.cores.push_back({core / 2, core / 2, {core, core + 4}});
    return topology;
}

Plan processes(int count, int ranks_each = 1) {
    Plan plan;
    for (int i = 0; i < count; ++i) {
        PlannedProcess process;
        process.first_rank = i * ranks_each;
        process.ranks = ranks_each;
        plan.processes.push_back(process);
    }
    plan.hosts = {"here"};
    return plan;
}

using Numbers = std::vector<int>;

std::vector<Numbers> place_by(const std::string &bind_to, const std::string &map_by, Plan plan) {
    Options options;
    options.bind_to = bind_to;
    options.map_by = map_by;
    place_processes(options, two_sockets(), plan, 0);
    std::vector<Numbers> all;
    for (const PlannedProcess &process : plan.processes)
        all.push_back(process.processors);
    return all;
}

TEST(Placement, NeighboursGetNeighbouringCores) {
    EXPECT_EQ(place_by("core", "", processes(3)), (std::vector<Numbers>{{0, 4}, {1, 5}, {2, 6}}));
}

TEST(Placement, SocketsAreDealtInTurn) {
    EXPECT_EQ(place_by("core", "socket", processes(3)),
              (std::vector<Numbers>{{0, 4}, {2, 6}, {1, 5}}));
    EXPECT_EQ(place_by("core", "numa", processes(2)), (std::vector<Numbers>{{0, 4}, {2, 6}}));
}

TEST(Placement, AProcessGetsACoreForEachOfItsRanks) {
    EXPECT_EQ(place_by("core", "", processes(2, 2)),
              (std::vector<Numbers>{{0, 4, 1, 5}, {2, 6, 3, 7}}));
}

TEST(Placement, WithoutBindingProcessesMayRunAnywhere) {
    EXPECT_EQ(place_by("none", "", processes(2)), (std::vector<Numbers>{{}, {}}));
    EXPECT_EQ(place_by("", "", processes(1)), (std::vector<Numbers>{{}}));
}

TEST(Placement, MoreRanksThanCoresAreRefused) {
    try {
        (void)place_by("core", "", processes(5));
        FAIL();
    } catch (const UsageError &error) {
        EXPECT_NE(std::string(error.what()).find("5 ranks"), std::string::npos) << error.what();
    }
}

TEST(Placement, ThePictureShowsSocketsCoresAndThreads) {
    Plan plan = processes(2);
    Options options;
    options.bind_to = "core";
    place_processes(options, two_sockets(), plan, 0);
    const std::string picture = picture_of_bindings(two_sockets(), plan, 0);
    EXPECT_NE(picture.find("rank 0:   [BB|..][..|..]"), std::string::npos) << picture;
    EXPECT_NE(picture.find("rank 1:   [..|BB][..|..]"), std::string::npos) << picture;
}

} // namespace
} // namespace mpiexec
