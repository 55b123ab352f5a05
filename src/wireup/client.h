// The PMIx client, as shared by the files of this folder.
#pragma once
#include "wireup/origin.h"
#include "wireup/pmix_library.h"

#include <string>

namespace thrum {

// Loads libpmix and connects to the server that the environment names. Returns false, with the
// reason in `why`, if it fails. Must run on a thread of run_on_own_thread().
bool connect_client(std::string &why);
// Returns the functions of libpmix. Valid once connected.
const PmixLibrary &pmix_client();
bool client_is_connected();

// Starts mpiexec as the server of this single process, whose launcher has none, and sets the
// variables that connect_client() needs. Returns false, with the reason in `why`, if it fails.
bool start_server(std::string &why);

// Returns whether the server is Thrum's mpiexec.
bool is_of_our_launcher();

// Returns THRUM_NODE_PROCESSES for the initial processes of the job.
std::string encode_own_layout();
// Returns THRUM_ORIGIN, which an added process finds in its environment.
std::string encode_origin(const Origin &origin);

} // namespace thrum
