// The seed of tests with random numbers.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <random>

namespace thrum::testing {

// Returns THRUM_TEST_SEED, or a fresh seed. Prints it, so that a failure can be reproduced. It is
// the same everywhere in a test program.
inline unsigned test_seed() {
    static const unsigned seed = [] {
        const char *text = std::getenv("THRUM_TEST_SEED");
        unsigned value =
            text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : std::random_device()();
        std::printf("THRUM_TEST_SEED=%u\n", value);
        return value;
    }();
    return seed;
}

} // namespace thrum::testing
