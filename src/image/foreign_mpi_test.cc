#include "image/foreign_mpi.h"

#include <gtest/gtest.h>
#include <string>

namespace thrum {
namespace {

std::string mpi_of(const char *path) {
    const char *mpi = foreign_mpi_of(path);
    return mpi ? mpi : "";
}

TEST(ForeignMpi, LibrariesOfOtherMpisAreKnownByTheirNames) {
    for (const char *name : {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.20",
                             "libmpi_cxx.so.40", "libmpi_mpifh-gfortran.so.40", "libmpi.so.20"})
        EXPECT_EQ(mpi_of(name), "Open MPI") << name;
    for (const char *name : {"libmpi.so.12", "libmpich.so.12", "libmpifort.so.12",
                             "libmpichfort.so.12", "libmpicxx.so.12", "libmpi_ilp64.so.12"})
        EXPECT_EQ(mpi_of(name), "MPICH, Intel MPI or MVAPICH") << name;
    EXPECT_EQ(mpi_of("/opt/cray/lib/libmpi_gnu_123.so.12"), "Cray MPICH");
    EXPECT_EQ(mpi_of("libmpi_abi.so.0"), "a draft of the standard ABI (MPICH 4.2 or 4.3)");
    EXPECT_EQ(mpi_of("/usr/lib/libmpi.so.7"), "another MPI");
}

TEST(ForeignMpi, TheStandardAbiAndOtherLibrariesAreNotForeign) {
    for (const char *name : {"libmpi_abi.so.1", "/opt/mpich/lib/libmpi_abi.so.1", "libmpfr.so.6",
                             "libmpi4py.so", "libc.so.6", "libmpc.so.3", "/libmpi.so.40/libx.so"})
        EXPECT_EQ(mpi_of(name), "") << name;
}

TEST(ForeignMpi, FrontsAreKnownByTheirDirectory) {
    for (const char *name : {"libmpi.so.4", "libmpi.so.400", "libmpi.so.1", "libmpi_mpifh.so.4"})
        EXPECT_EQ(front_of(name), nullptr) << name;
    for (const char *name : {"libmpi.so.40", "libmpi_mpifh.so.40"})
        EXPECT_STREQ(front_of(name)->c, "openmpi/libmpi.so.40") << name;
    EXPECT_STREQ(front_of("libmpi.so.12")->c, "mpich/libmpi.so.12");
    EXPECT_STREQ(front_of("libmpifort.so.12")->c, "mpich/libmpi.so.12");
    EXPECT_STREQ(front_of("libmpichfort.so.12")->c, "mpich/libmpich.so.12");
    for (const char *name : {"libmpi.so.40", "libmpi_mpifh.so.40"})
        EXPECT_TRUE(is_front((std::string("/lib/thrum_fronts/openmpi/") + name).c_str())) << name;
    EXPECT_TRUE(is_front("/lib/thrum_fronts/mpich/../../thrum_fronts/mpich/libmpi.so.12"));
    EXPECT_FALSE(is_front("/lib/thrum_fronts/mpich/libmpi_mpifh.so.40"));
    EXPECT_EQ(mpi_of("/usr/local/lib/thrum_fronts/openmpi/libmpi.so.40"), "");
    for (const char *path : {"/usr/lib/libmpi.so.40", "libmpi.so.40", "/thrum_fronts/libmpi.so.40",
                             "/usr/local/lib/thrum_fronts/openmpi/libmpi.so.20"}) {
        EXPECT_FALSE(is_front(path)) << path;
        EXPECT_EQ(mpi_of(path), "Open MPI") << path;
    }
}

} // namespace
} // namespace thrum
