// The processes of one MPI_Comm_spawn over several hosts, as mpiexec describes them to agents
// (Word::StartAdded).
#pragma once
#include "server/spawn_request.h"
#include "wireup/layout.h"

#include <string>
#include <vector>

namespace mpiexec {

struct AddedGroup {
    std::string name_space;
    std::vector<thrum::ProcessPlace> layout; // by number in the name space
    int first_number = 0;                   // of its processes among those of the job
    SpawnRequest request;

    std::string encode() const;
    explicit AddedGroup(std::string_view text);
    AddedGroup() = default;

    // The program of process `number` of the name space.
    const SpawnRequest::Program &program_of(int number) const;
};

} // namespace mpiexec
