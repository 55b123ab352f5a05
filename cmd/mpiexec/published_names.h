// Names that processes publish at mpiexec's PMIx server (MPI_Publish_name), and find there.
#pragma once
#include <pmix_server.h>

namespace mpiexec {

// Answers PMIx_Publish, PMIx_Lookup and PMIx_Unpublish by a table in this process.
void serve_names(pmix_server_module_t &module);

} // namespace mpiexec
