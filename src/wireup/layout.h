// The ranks and the node of each node process, as a text that mpiexec puts into the environment
// (THRUM_NODE_PROCESSES, in the form of base/codec.h). mpiexec uses this file, too, so it depends
// on nothing else of the core.
//
// The text is a list with an item for each run of equal processes, in the order of their numbers:
// ranks, node, number of processes. It is followed by the number of nodes, which may be more than
// the processes use: others may be added there. "2;2;0;3;1;1;1;3;": three processes of 2 ranks on
// node 0, one of a single rank on node 1, and a third node.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

// A node process: how many ranks it hosts, and on which node.
struct ProcessPlace {
    int ranks = 1;
    int node = 0;

    bool operator==(const ProcessPlace &) const = default;
};

// `nodes`: number of nodes of the job, which may be more than the processes use.
std::string encode_layout(const std::vector<ProcessPlace> &processes, int nodes = 0);
// Returns false if `text` is not a valid layout.
bool parse_layout(std::string_view text, std::vector<ProcessPlace> &processes,
                  int *nodes = nullptr);

// Writes ascending numbers of node processes, as a list of ranges.
std::string encode_processes(const std::vector<int> &processes);
// Returns false if `text` is not a valid list.
bool parse_processes(std::string_view text, std::vector<int> &processes);

// The key in an event of mpiexec's PMIx server: the number (uint32) of a node process, initial or
// added, that has failed while the job continues.
inline constexpr const char *failed_process_key = "thrum.failed";

int count_nodes(const std::vector<ProcessPlace> &processes);

// Returns the node number of each process, given their `hosts`. Nodes are numbered from 0, by their
// first process.
std::vector<int> number_nodes(const std::vector<std::string> &hosts);

} // namespace thrum
