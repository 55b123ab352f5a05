// The table of file names (foreign_mpi.h). More specific prefixes come first.
#include "image/foreign_mpi.h"

#include <cstring>
#include <string_view>

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
    {"libmpi_mpifh", open_mpi},          // also libmpi_mpifh-gfortran
    {"libmpi_usempif08.so.40", nullptr}, // the distribution's stands on the front's libmpi_mpifh
    {"libmpi_usempi_ignore_tkr.so.40", nullptr},
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

// The fronts, by the file names of what they stand for.
constexpr FrontLibraries fronts[] = {
    {"openmpi/libmpi.so.40", "openmpi/libmpi_mpifh.so.40", "openmpi/libmpi_cxx.so.40"},
    {"mpich/libmpi.so.12", "mpich/libmpifort.so.12", "mpich/libmpicxx.so.12"},
    {"mpich/libmpich.so.12", "mpich/libmpichfort.so.12", "mpich/libmpichcxx.so.12"},
};

const char *file_name(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

} // namespace

const FrontLibraries *front_of(const char *soname) {
    for (const FrontLibraries &front : fronts)
        for (const char *library : front.libraries())
            if (!std::strcmp(file_name(library), soname))
                return &front;
    return nullptr;
}

bool is_front(const char *path) {
    const FrontLibraries *front = front_of(file_name(path));
    if (!front)
        return false;
    const std::string_view whole(path);
    for (const char *library : front->libraries())
        if (whole.ends_with(library) &&
            whole.substr(0, whole.size() - std::strlen(library)).ends_with(fronts_directory))
            return true;
    return false;
}

const char *foreign_mpi_of(const char *path) {
    if (is_front(path))
        return nullptr;
    const char *name = file_name(path);
    for (const ForeignName &foreign : foreign_names)
        if (!std::strncmp(name, foreign.prefix, std::strlen(foreign.prefix)))
            return foreign.mpi;
    return nullptr;
}

} // namespace thrum
