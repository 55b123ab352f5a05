// For tests: collective operations of any number of ranks on each thread layer.
#pragma once
#include "comm/testing/processes.h"
#include "fiber/sanitizer.h"

#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <tuple>

namespace thrum::testing {

struct Layer {
    const char *name;
    TeamOptions options;
};

inline constexpr Layer layers[] = {{"fibers_on_1_worker", {1, false}},
                                   {"fibers_on_2_workers", {2, false}},
                                   {"os_threads", {0, true}}};

// A derived class is instantiated by
// INSTANTIATE_TEST_SUITE_P(On, Derived, layers_and_sizes(), name_of_layer_and_size);
class OnEachLayer : public ::testing::TestWithParam<std::tuple<Layer, int>> {
protected:
    int size() const { return std::get<1>(GetParam()); }

    template <class F>
    void run(F function) {
        run_processes(size(), function, std::get<0>(GetParam()).options);
    }
};

// With sanitizers the largest are left out: they take minutes and do nothing that 33 ranks do not.
inline auto layers_and_sizes() {
    static constexpr int sizes[] = {1, 2, 3, 5, 16, 33, 64, 100};
    constexpr size_t count = std::size(sizes) - (sanitizer::own_thread_blocks ? 0 : 2);
    return ::testing::Combine(::testing::ValuesIn(layers),
                              ::testing::ValuesIn(sizes, sizes + count));
}

inline std::string
name_of_layer_and_size(const ::testing::TestParamInfo<std::tuple<Layer, int>> &info) {
    return std::string(std::get<0>(info.param).name) + "_" +
           std::to_string(std::get<1>(info.param)) + "_ranks";
}

} // namespace thrum::testing
