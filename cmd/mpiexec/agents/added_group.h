// The processes of one MPI_Comm_spawn over several hosts, as mpiexec describes them to agents
// (Word::StartAdded).
#pragma once
#include "server/spawn_request.h"
#include "wireup/layout.h"

#include <string>
#include <vector>

namespace mpiexec {

// The processes of one request, with the node of each.
struct AddedGroup {
    std::string name_space;
    std::vector<thrum::ProcessPlace> layout; // by number in the name space
    int first_number = 0;                    // number of its first process in the job
    SpawnRequest request;

    // Convert it to and from the data of a message. The constructor throws UsageError.
    std::string encode() const;
    explicit AddedGroup(std::string_view text);
    AddedGroup() = default;

    // Returns the program of process `number` of the name space.
    const SpawnRequest::Program &program_of(int number) const;
};

} // namespace mpiexec
