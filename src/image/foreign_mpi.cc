// The table of file names (foreign_mpi.h). More specific prefixes come first.
#include "image/foreign_mpi.h"

#include <cstring>

namespace thrum {
namespace {

constexpr char mpich_family[] = "MPICH, Intel MPI or MVAPICH";
constexpr char open_mpi[] = "Open MPI";
constexpr char cray_mpich[] = "Cray MPICH";
constexpr char unknown[] = "another MPI";

struct ForeignName {
    const char *prefix; // of the file's name; the first that fits counts
    const char *mpi;
};

constexpr ForeignName foreign_names[] = {
    {"libmpi_abi.so.0", "a draft of the standard ABI (MPICH 4.2 or 4.3)"},
    {"libmpi_abi.so", nullptr},
    {"libmpi.so.12", mpich_family},
    {"libmpi.so.40", open_mpi},
    {"libmpi.so.20", open_mpi},
    {"libmpi.so.1", open_mpi},
    {"libmpi.so.0", open_mpi},
    {"libmpi.so", unknown},
    {"libmpich", mpich_family}, // also libmpichcxx, libmpichfort
    {"libmpifort.so", mpich_family},
    {"libmpicxx.so", mpich_family},
    {"libmpigf.so", mpich_family},
    {"libmpi_mt.so", mpich_family},
    {"libmpi_ilp64.so", mpich_family},
    {"libmpi_mpifh", open_mpi}, // also libmpi_mpifh-gfortran
    {"libmpi_usempi", open_mpi},
    {"libmpi_cxx.so", open_mpi},
    {"libmpi_java.so", open_mpi},
    {"libmpi_f77.so", open_mpi},
    {"libmpi_f90.so", open_mpi},
    {"libmpi_ibm", "Spectrum MPI"},
    {"libmpi_cray", cray_mpich},
    {"libmpi_gnu", cray_mpich},
    {"libmpi_intel", cray_mpich},
    {"libmpi_amd", cray_mpich},
    {"libmpi_aocc", cray_mpich},
    {"libmpi_nvidia", cray_mpich},
    {"libmpitrampoline.so", "MPItrampoline"},
};

} // namespace

const char *foreign_mpi_of(const char *path) {
    const char *slash = std::strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (const ForeignName &foreign : foreign_names)
        if (!std::strncmp(name, foreign.prefix, std::strlen(foreign.prefix)))
            return foreign.mpi;
    return nullptr;
}

} // namespace thrum
