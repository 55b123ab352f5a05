// Starts one of the processes that MPI_Comm_spawn asks for.
#pragma once
#include "plan/options.h"
#include "server/spawn_request.h"
#include "server/wireup_server.h"
#include "start/process_start.h"

#include <csignal>
#include <set>
#include <string>

namespace mpiexec {

struct StartFailure {
    int error; // errno
};

// Process `number` of PMIx name space `name_space`, which `server` has announced. What it writes is
// to be read, unless it goes to files; it reads nothing. Throws StartFailure.
Started start_added(const Options &options, WireupServer &server, const sigset_t &child_mask,
                    const SpawnRequest::Program &program, const std::string &name_space,
                    int number);

// What their library has decided (wireup.h, Origin), in numbers of node processes of the job.
struct RequestOrigin {
    int first_number = -1; // of the new ones; -1: another library asks
    std::set<int> parents;
};

RequestOrigin origin_of(const SpawnRequest &request);

// For messages: "rank 0 of those that MPI_Comm_spawn has started (./worker)".
std::string name_of_added(int number, const std::string &program);
// What --prefix puts before its lines.
std::string prefix_of_added(const Options &options, int number);

} // namespace mpiexec
