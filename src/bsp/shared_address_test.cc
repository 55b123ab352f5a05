#include "bsp/shared_address.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>

namespace thrum::bsp {
namespace {

int variable;

void function() {}

TEST(SharedAddress, LeadsBackToVariablesAndFunctionsOfTheProgramAndItsLibraries) {
    double (*of_a_library)(double) = &std::lgamma;
    for (const void *address :
         {static_cast<const void *>(&variable), reinterpret_cast<const void *>(&function),
          reinterpret_cast<const void *>(of_a_library),
          reinterpret_cast<const void *>(&std::strtol)}) {
        const uint64_t shared = shared_address(address);
        EXPECT_NE(shared, 0U);
        EXPECT_EQ(local_address(shared), address);
    }
    EXPECT_NE(shared_address(&variable) >> 40,
              shared_address(reinterpret_cast<const void *>(&std::strtol)) >> 40);
}

TEST(SharedAddress, StacksAndTheHeapHaveNone) {
    int local = 0;
    auto heap = std::make_unique<int>();
    EXPECT_EQ(shared_address(&local), 0U);
    EXPECT_EQ(shared_address(heap.get()), 0U);
}

TEST(SharedAddress, OfALibraryThatIsNotLoadedIsNowhere) {
    const uint64_t shared = shared_address(&variable);
    EXPECT_EQ(local_address(shared ^ uint64_t{0x555} << 40), nullptr);
    EXPECT_EQ(local_address(shared | 0xffffffffff), nullptr); // behind its end
}

} // namespace
} // namespace thrum::bsp
