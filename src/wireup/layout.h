// Which ranks and which node belong to each node process, as a text that mpiexec puts into the
// environment (THRUM_NODE_PROCESSES). For mpiexec, too: depends on nothing else of the core.
//
// One item for each run of processes, in the order of their numbers, with commas between:
// RANKS@NODE, or RANKS@NODExCOUNT. "2@0x3,2@1x3,1@1": three processes of 2 ranks on node 0, as many
// on node 1, and there one of a single rank besides. ";3" behind it: there is a third node, where
// processes may be added.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

struct NodeProcess {
    int ranks = 1;
    int node = 0;

    bool operator==(const NodeProcess &) const = default;
};

// `nodes`: of the job, which may be more than the processes are on.
std::string encode_layout(const std::vector<NodeProcess> &processes, int nodes = 0);
// False if `text` is no layout.
bool parse_layout(std::string_view text, std::vector<NodeProcess> &processes, int *nodes = nullptr);

// Ascending numbers of node processes, runs as ranges: "0-3,7".
std::string encode_processes(const std::vector<int> &processes);
// False if `text` is no such list.
bool parse_processes(std::string_view text, std::vector<int> &processes);

// Of an event of the PMIx server of mpiexec: the number (uint32) of a node process, or of one that
// was added, that has failed while the job goes on.
inline constexpr const char *failed_process_key = "thrum.failed";

int count_nodes(const std::vector<NodeProcess> &processes);

// Of processes that are on the hosts `hosts`: the number of each one's node. Nodes are numbered
// from 0, by their first process.
std::vector<int> number_nodes(const std::vector<std::string> &hosts);

} // namespace thrum
