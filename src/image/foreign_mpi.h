// Libraries of other MPIs, known by their file names. Their binary interfaces differ from that of
// libmpi_abi.so.1 (handles, constants, statuses), so code compiled against them must not call ours.
// It may call a front: a library of ours with such a name and interface (src/front).
// mpiexec uses it, too, so it depends on nothing else of the core.
#pragma once

#include <array>

namespace thrum {

// Returns the name of the MPI to which the library at `path` (or with this soname) belongs, for
// messages: "Open MPI". nullptr: it belongs to none, is a libmpi_abi of the standard ABI, or a
// front.
const char *foreign_mpi_of(const char *path);

// The directory of the fronts, in that of libmpi_abi.
inline constexpr const char *fronts_directory = "thrum_fronts/";

// The libraries of a front, below fronts_directory.
struct FrontLibraries {
    const char *c;       // "openmpi/libmpi.so.40"; also names the front
    const char *fortran; // "openmpi/libmpi_mpifh.so.40"
    const char *cxx;     // "openmpi/libmpi_cxx.so.40"

    std::array<const char *, 3> libraries() const { return {c, fortran, cxx}; }
};

// Returns the front of which programs need a library by this soname. nullptr: there is none.
const FrontLibraries *front_of(const char *soname);
// Returns whether the library at `path` is a front.
bool is_front(const char *path);

} // namespace thrum
