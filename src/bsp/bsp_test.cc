// Random programs of supersteps against a sequential model (random_program.h).
#include "base/testing/seed.h"
#include "bsp/testing/random_program.h"
#include "coll/testing/on_each_layer.h"
#include "comm/testing/processes.h"
#include "fiber/task.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using namespace thrum::testing;

class Supersteps : public OnEachLayer {};

TEST_P(Supersteps, DoWhatASequentialModelDoes) {
    unsigned seed = test_seed() + static_cast<unsigned>(size());
    Plan plan = Model(size(), seed).plan();
    run([&](Process &) {
        run_plan(
            plan, seed, [](const std::string &complaint) { ADD_FAILURE() << complaint; },
            [] { yield(); });
    });
}

INSTANTIATE_TEST_SUITE_P(On, Supersteps,
                         ::testing::Combine(::testing::ValuesIn(layers),
                                            ::testing::Values(2, 3, 8)),
                         name_of_layer_and_size);

} // namespace
} // namespace thrum
