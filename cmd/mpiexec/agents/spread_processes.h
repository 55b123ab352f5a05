// Chooses hosts for the processes that a job on several hosts spawns (MPI_Comm_spawn), and answers
// when all agents have started theirs. For mpiexec they are processes of the job like the first
// ones, with numbers behind these.
//
//   agent: Event Spawn --> mpiexec: chooses nodes --StartAdded--> agents: start theirs
//   agent: answers its  <--SpawnDone-- all have, or EndAdded to all <--AddedStarted--
#pragma once
#include "agents/agents.h"
#include "plan/plan.h"
#include "server/families.h"
#include "server/spawn_request.h"
#include "start/process_start.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace mpiexec {

// The spawned processes of a job on several hosts. The references must outlive it.
class SpreadProcesses {
public:
    // One spawned process, as mpiexec knows it.
    struct Process {
        int node = 0;
        std::string name;             // for messages
        std::string prefix;           // before its lines, with --prefix
        bool is_part_of_none = false; // not all of its request could be started: its end is ignored
        bool has_ended = false;
        Relative who = {};
        int number = 0; // in its name space
    };

    SpreadProcesses(const Options &options, const Plan &plan, const std::string &job_name,
                    Agents &agents);

    // Handles request `question` of a process of name space `parent` on `node`. Returns the new
    // processes, whose numbers follow those that there are; none if the request was refused.
    std::vector<Process> on_request(int node, int question, const std::string &request,
                                    const std::string &parent);
    // Handles Word::AddedStarted of `node`. Answers the request when all nodes have reported.
    void on_started(int node, int request, int error);
    // Makes the requests fail that are starting processes on a lost node.
    void on_host_lost(int node);
    // Returns the nodes that have processes of this name space, and so come to its fences.
    std::vector<int> nodes_of(const std::string &name_space) const;

    const Families &families() const { return families_; }

    // The functions below take a number in the job, also of the first processes.
    bool is_added(size_t number) const { return number >= plan_.processes.size(); }

    const Process &process(size_t number) const { return added_[number - plan_.processes.size()]; }

    bool is_part_of_none(size_t number) const {
        return is_added(number) && process(number).is_part_of_none;
    }

    int node_of(size_t number) const {
        return is_added(number) ? process(number).node : plan_.processes[number].node;
    }

    // Frees the slot of a spawned process that has ended.
    void on_end(size_t number, bool never_started);

private:
    // A request whose processes are being started.
    struct Pending {
        int node, question; // where the answer goes
        std::string name_space;
        std::set<int> missing; // nodes that have not reported
        int error;
        size_t first, count; // in added_
    };

    bool choose_nodes(const SpawnRequest &request, std::vector<int> &nodes) const;
    void answer(int node, int question, const std::string &name_space,
                SpawnRequest::Failure failure);

    const Options &options_;
    const Plan &plan_;
    std::string job_name_;
    Agents &agents_;
    std::vector<Process> added_;
    std::vector<int> free_; // slots by node; those of first processes that have ended stay taken
    std::map<std::string, std::vector<int>> nodes_; // by name space
    std::map<int, Pending> pending_;                // by number of the request
    Families families_;
    int requests_ = 0;
};

} // namespace mpiexec
