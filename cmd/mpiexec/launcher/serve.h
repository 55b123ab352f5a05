// The PMIx server of a process that was started without mpiexec, or alone, and calls
// MPI_Comm_spawn: the library then starts `mpiexec --serve` itself (src/wireup/added.cc).
#pragma once

namespace mpiexec {

inline constexpr const char *serve_argument = "--serve";

// The name of this process, by which an mpiexec that has started the program alone recognises it.
inline constexpr const char *server_name = "mpiexec-server";

// Serves the process at the other end of the socket `fd`: writes there what its environment needs,
// and then serves it until it and all processes that it has spawned have ended. Returns an exit
// code.
int run_server(int fd);

} // namespace mpiexec
