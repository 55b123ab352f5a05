// Starts one of the processes that MPI_Comm_spawn asks for. AddedProcesses (one host) and Agent
// (several) call it.
#pragma once
#include "plan/options.h"
#include "server/spawn_request.h"
#include "server/wireup_server.h"
#include "start/process_start.h"

#include <csignal>
#include <set>
#include <string>

namespace mpiexec {

// Thrown if a process cannot be started; the caller answers the request with it.
struct StartFailure {
    int error; // errno
};

// Starts process `number` of PMIx name space `name_space`, which `server` has announced. The caller
// must read what it writes, unless it goes to files; its standard input is empty. Throws
// StartFailure.
Started start_added(const Options &options, WireupServer &server, const sigset_t &child_mask,
                    const SpawnRequest::Program &program, const std::string &name_space,
                    int number);

// What the library of the processes that ask has decided (wireup.h, Origin), in numbers of node
// processes of the job.
struct RequestOrigin {
    int first_number = -1; // of the new ones; -1: not our library has asked
    std::set<int> parents; // the processes that have called MPI_Comm_spawn
};

// Returns the origin of the request, from a variable of its first program.
RequestOrigin origin_of(const SpawnRequest &request);

// Returns the name of a process for messages: "rank 0 of the ranks started by MPI_Comm_spawn
// (./worker)".
std::string name_of_added(int number, const std::string &program);
// Returns what --prefix puts before its lines; "" without --prefix.
std::string prefix_of_added(const Options &options, int number);

} // namespace mpiexec
