// For tests with TEST_P whose parameter is TeamOptions: fibers on one worker and on two, OS
// threads. INSTANTIATE_TEST_SUITE_P(On, Suite, each_layer(), name_of_layer);
#pragma once
#include "fiber/testing/team.h"

#include <gtest/gtest.h>
#include <string>

namespace thrum::testing {

inline auto each_layer() {
    return ::testing::Values(TeamOptions{.workers = 1}, TeamOptions{.workers = 2},
                             TeamOptions{.os_threads = true});
}

inline std::string name_of_layer(const ::testing::TestParamInfo<TeamOptions> &info) {
    return info.param.os_threads ? "OsThreads" : "Fibers" + std::to_string(info.param.workers);
}

} // namespace thrum::testing
