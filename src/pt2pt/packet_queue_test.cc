// Packets that come after the end of their operation: which of them are strays.
#include "pt2pt/packet_queue.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr uint32_t context = 0x80000011;

PacketLabel label_that_says(uint32_t said) {
    PacketLabel label;
    label.said = said;
    return label;
}

void end_operation_that_says(int tag, uint32_t said) {
    StrayPacket stray;
    EXPECT_FALSE(end_operation({context, tag, said, {}}, stray));
}

TEST(StrayPackets, AnotherOperationIsAStrayOnce) {
    end_operation_that_says(7, 1);
    disturb_waiting_packet({context, 3, 7}, label_that_says(2));
    EXPECT_FALSE(take_stray(context + 2));
    const StrayPacket stray = take_stray(context).value_or(StrayPacket{});
    EXPECT_EQ(stray.source, 3);
    EXPECT_EQ(stray.ended.said, 1u);
    EXPECT_EQ(stray.label.said, 2u);
    EXPECT_FALSE(take_stray(context));
}

TEST(StrayPackets, WhatSaysTheSameOrComesEarlyIsNone) {
    end_operation_that_says(8, 1);
    disturb_waiting_packet({context, 3, 8}, label_that_says(1));
    disturb_waiting_packet({context, 3, 9}, label_that_says(2));
    EXPECT_FALSE(take_stray(context));
}

TEST(StrayPackets, OperationsThatEndedLongAgoAreForgotten) {
    end_operation_that_says(10, 1);
    end_operation_that_says(10 + 256, 1);
    disturb_waiting_packet({context, 3, 10}, label_that_says(2));
    EXPECT_FALSE(take_stray(context));
}

} // namespace
} // namespace thrum
