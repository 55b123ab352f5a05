// Origin: where a process comes from that was added to a running job (MPI_Comm_spawn).
#pragma once
#include <string>
#include <vector>

namespace thrum {

// What an added process is told by the process that requested it.
struct Origin {
    int first_process = 0; // of the processes added together, which share an MPI_COMM_WORLD
    int count = 0;
    int parent = 0;           // world rank
    std::vector<int> parents; // node processes of the communicator that requested it, ascending
    std::string directory;    // fabric/fabric.h
};

} // namespace thrum
