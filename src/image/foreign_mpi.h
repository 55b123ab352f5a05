// Libraries of other MPIs, known by their file names. Their binary interfaces differ from that of
// libmpi_abi.so.1 (handles, constants, statuses), so code compiled against them must not call ours.
// mpiexec uses it, too, so it depends on nothing else of the core.
#pragma once

namespace thrum {

// Returns the name of the MPI to which the library at `path` (or with this soname) belongs, for
// messages: "Open MPI". nullptr: it belongs to none, or is a libmpi_abi of the standard ABI.
const char *foreign_mpi_of(const char *path);

} // namespace thrum
