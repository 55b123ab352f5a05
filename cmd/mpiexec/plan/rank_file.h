// --rankfile: where each process runs, exactly.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// One line, "rank N=HOST slot=CORES".
struct RankPlace {
    int rank = 0;
    std::string host;
    std::vector<int> cores; // numbers, as hwloc orders them
    int line = 0;           // for messages
};

// Throws UsageError, which names file and line.
std::vector<RankPlace> read_rank_file(const std::string &path);

} // namespace mpiexec
