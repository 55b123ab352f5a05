#include "inspect/stack_fault.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr uintptr_t low = 0x7f0000000000, high = low + (256 << 10);

TEST(StackFault, APushIntoTheGuardIsAnOverflow) {
    StackFault fault = classify_stack_fault(low + 4088, low + 4096, low, high);
    EXPECT_TRUE(fault.overflow);
    EXPECT_EQ(advised_stack_bytes(256 << 10, fault.used_bytes), 1u << 20);
}

TEST(StackFault, ALargeArrayIsAnOverflowAndTheAdviceHoldsIt) {
    uintptr_t pointer = high - (3 << 20);
    StackFault fault = classify_stack_fault(pointer + 8, pointer, low, high);
    EXPECT_TRUE(fault.overflow);
    EXPECT_EQ(advised_stack_bytes(256 << 10, fault.used_bytes), 4u << 20);
}

TEST(StackFault, AProbingFunctionTellsWhereItsFrameWouldEnd) {
    static const unsigned char probe[] = {0x48, 0x83, 0x0c, 0x24, 0x00};
    static const unsigned char other[] = {0x48, 0x89, 0x04, 0x24, 0x00};
    EXPECT_EQ(probed_frame_end(probe, low + 4000, high - (8 << 20)), high - (8 << 20));
    EXPECT_EQ(probed_frame_end(other, low + 4000, high - (8 << 20)), low + 4000);
    EXPECT_EQ(probed_frame_end(probe, low + 4000, 17), low + 4000);
}

TEST(StackFault, AWildPointerIsNoOverflow) {
    EXPECT_FALSE(classify_stack_fault(0, high - 512, low, high).overflow);
    EXPECT_FALSE(classify_stack_fault(0x123456, low + 4096, low, high).overflow);
}

TEST(StackFault, AWildPointerIntoTheGuardIsNoOverflowWhileTheStackIsShort) {
    EXPECT_FALSE(classify_stack_fault(low + 16, high - 512, low, high).overflow);
}

TEST(StackFault, AnUnknownStackHasNoOverflow) {
    EXPECT_FALSE(classify_stack_fault(8, 16, 0, 0).overflow);
}

TEST(SizeText, UsesTheLargestUnitThatIsExact) {
    char buffer[32];
    EXPECT_STREQ(size_text(256 << 10, buffer, sizeof buffer), "256 KiB");
    EXPECT_STREQ(size_text(8 << 20, buffer, sizeof buffer), "8 MiB");
    EXPECT_STREQ(size_argument(1 << 20, buffer, sizeof buffer), "1M");
    EXPECT_STREQ(size_argument(1000, buffer, sizeof buffer), "1000");
}

} // namespace
} // namespace thrum
