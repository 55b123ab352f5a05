// --rankfile: where each process runs, exactly. The format is Open MPI's.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// One line, "rank N=HOST slot=CORES".
struct RankPlace {
    int rank = 0; // the first rank of a process
    std::string host;
    std::vector<int> cores; // numbers, as hwloc orders them
    int line = 0;           // for messages
};

// Reads the file. Throws UsageError, which names file and line.
std::vector<RankPlace> read_rank_file(const std::string &path);

} // namespace mpiexec
