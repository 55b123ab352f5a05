#include "rank/thread_stack.h"

#include <gtest/gtest.h>
#include <thread>

namespace thrum {
namespace {

bool is_on(const ThreadStack &stack, const void *address) {
    const auto at = reinterpret_cast<uintptr_t>(address);
    return stack.low <= at && at < stack.high;
}

TEST(ThreadStack, IsUnknownUntilItIsLookedFor) {
    std::thread([] { EXPECT_EQ(thread_stack().high, 0U); }).join();
}

TEST(ThreadStack, HoldsTheVariablesOfItsThreadAndOfNoOther) {
    int own = 0;
    find_thread_stack();
    const ThreadStack mine = thread_stack();
    EXPECT_TRUE(is_on(mine, &own));
    std::thread([&] {
        int of_thread = 0;
        find_thread_stack();
        EXPECT_TRUE(is_on(thread_stack(), &of_thread));
        EXPECT_FALSE(is_on(thread_stack(), &own));
        EXPECT_FALSE(is_on(mine, &of_thread));
    }).join();
}

} // namespace
} // namespace thrum
