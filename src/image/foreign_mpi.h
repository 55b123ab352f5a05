// Libraries of other MPIs, known by their file names. Their binary interfaces differ from that of
// libmpi_abi.so.1 (handles, constants, statuses), so code compiled against them must not call ours.
// It may call a front: a library of ours with such a name and interface (src/front).
// mpiexec uses it, too, so it depends on nothing else of the core.
#pragma once

namespace thrum {

// Returns the name of the MPI to which the library at `path` (or with this soname) belongs, for
// messages: "Open MPI". nullptr: it belongs to none, is a libmpi_abi of the standard ABI, or a
// front.
const char *foreign_mpi_of(const char *path);

// The directory of the fronts, in that of libmpi_abi.
inline constexpr const char *fronts_directory = "thrum_fronts/";
// Returns the front that programs need by this soname, below fronts_directory:
// "openmpi/libmpi.so.40". nullptr: there is none.
const char *front_of(const char *soname);
// Returns whether the library at `path` is a front.
bool is_front(const char *path);

} // namespace thrum
