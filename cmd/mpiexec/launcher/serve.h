// The PMIx server of a process that was started without mpiexec, or alone, and asks for others by
// MPI_Comm_spawn: it starts `mpiexec --serve` itself (src/wireup/added.cc).
#pragma once

namespace mpiexec {

inline constexpr const char *serve_argument = "--serve";

// Its name as a process, by which an mpiexec that has started the program alone knows it.
inline constexpr const char *server_name = "mpiexec-server";

// `fd` is a socket of that process, which is told by it what its environment needs. Returns an exit
// code once the process, and all that it has had started, have ended.
int run_server(int fd);

} // namespace mpiexec
