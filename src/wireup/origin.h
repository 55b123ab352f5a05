// Origin: where a process comes from that was added to a running job (MPI_Comm_spawn). mpiexec uses
// this file, too.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

// What the process that requested an added process tells it.
struct Origin {
    int first_process = 0; // of the processes added together, which share an MPI_COMM_WORLD
    int count = 0;
    int parent = 0;           // world rank
    std::vector<int> parents; // node processes of the communicator that requested it, ascending
    std::string directory;    // fabric/fabric.h

    bool operator==(const Origin &) const = default;
};

// Writes the value of THRUM_ORIGIN (base/codec.h) for processes that are added to `job`.
std::string encode_origin(const std::string &job, const Origin &origin);
// Returns false if `text` is not such a value.
bool parse_origin(std::string_view text, std::string &job, Origin &origin);

} // namespace thrum
