#include "fiber/usable_cores.h"
#include "start/large_arrays.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace mpiexec {
namespace {

TEST(LargeArrays, RanksWithACoreEachGetHugePages) {
    const int cores = thrum::usable_cores();
    EXPECT_EQ(tunables_for_large_arrays(cores, nullptr), "glibc.malloc.hugetlb=1");
    EXPECT_EQ(tunables_for_large_arrays(cores, ""), "glibc.malloc.hugetlb=1");
    EXPECT_EQ(tunables_for_large_arrays(cores + 1, nullptr), std::nullopt);
}

TEST(LargeArrays, SettingsOfTheUserStay) {
    EXPECT_EQ(tunables_for_large_arrays(1, "glibc.cpu.x86_shstk=off"),
              "glibc.cpu.x86_shstk=off:glibc.malloc.hugetlb=1");
    EXPECT_EQ(tunables_for_large_arrays(1, "glibc.malloc.hugetlb=0"), std::nullopt);
    EXPECT_EQ(tunables_for_large_arrays(1, "glibc.malloc.tcache_count=0"), std::nullopt);
    ::setenv("THRUM_HUGE_PAGES", "0", 1);
    EXPECT_EQ(tunables_for_large_arrays(1, nullptr), std::nullopt);
    ::unsetenv("THRUM_HUGE_PAGES");
}

} // namespace
} // namespace mpiexec
