// Origin: where a process that was added to a running job comes from (MPI_Comm_spawn).
#pragma once
#include <string>
#include <vector>

namespace thrum {

// What an added process is told by the one that has asked for it.
struct Origin {
    int first_process = 0; // of those that were added with it, which share its MPI_COMM_WORLD
    int count = 0;
    int parent = 0;           // world rank
    std::vector<int> parents; // node processes of the communicator that has asked, ascending
    std::string directory;    // fabric/fabric.h
};

} // namespace thrum
