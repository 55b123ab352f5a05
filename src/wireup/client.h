// The client of PMIx as the files of this folder share it.
#pragma once
#include "wireup/origin.h"
#include "wireup/pmix_library.h"

#include <string>

namespace thrum {

// Loads libpmix and connects with the server that the environment names. False: `why` says what is
// wrong. On a thread of run_aside().
bool connect_client(std::string &why);
// Once connected.
const PmixLibrary &pmix_client();
bool client_is_connected();

// Starts mpiexec as the server of this process alone, whose launcher has none, and puts what
// connect_client() needs into the environment. False: `why` says why there is none.
bool start_server(std::string &why);

// The server is mpiexec of ours.
bool is_of_our_launcher();

// THRUM_NODE_PROCESSES, of the processes with which the job was started.
std::string encode_own_layout();
// THRUM_ORIGIN: what an added process finds in its environment.
std::string encode_origin(const Origin &origin);

} // namespace thrum
