// For tests of the fabric (Google Test): node processes whose failures count, and a message to wait
// for.
#pragma once
#include "fabric/testing/node_processes.h"
#include "fiber/completion.h"

#include <gtest/gtest.h>

namespace thrum::testing {

inline std::vector<int> run_and_check(int count, const std::function<void(int)> &body,
                                      ProcessOptions options) {
    options.failed = [] {
        return ::testing::Test::HasFailure();
    };
    return run_processes(count, body, options);
}

inline void expect_all_well(const std::vector<int> &statuses) {
    for (size_t i = 0; i < statuses.size(); ++i)
        EXPECT_EQ(statuses[i], 0) << "process " << i;
}

// A message that comes back; the caller waits for it.
struct PingPong {
    static constexpr uint32_t most = 4; // that arrive before they are waited for
    Completion here[most];
    uint64_t values[most] = {};
    uint32_t arrived = 0, awaited = 0;
    uint64_t value = 0; // of the last that was waited for

    static void take(void *self, const Arrival &arrival) {
        auto &game = *static_cast<PingPong *>(self);
        uint32_t number = game.arrived++ % most;
        std::memcpy(&game.values[number], arrival.header, sizeof game.value);
        game.here[number].complete();
    }

    void wait() {
        uint32_t number = awaited++ % most;
        here[number].wait();
        here[number].reset();
        value = values[number];
    }

    static void send(int to, uint64_t value) {
        ASSERT_TRUE(fabric_send(NodeProcess(to), Channel::PointToPoint, MessageKind::Test, &value,
                                sizeof value));
    }
};

} // namespace thrum::testing
