// Chooses hosts for the processes that a job on several hosts asks for while it runs
// (MPI_Comm_spawn), and answers when all agents have started theirs. For mpiexec they are processes
// of the job like the first ones, with numbers behind these.
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

class SpreadProcesses {
public:
    struct Process {
        int node = 0;
        std::string name;             // for messages
        std::string prefix;           // of its lines
        bool is_part_of_none = false; // they could not all be started: its end is no matter
        bool has_ended = false;
        Relative who = {};
        int number = 0; // in its name space
    };

    SpreadProcesses(const Options &options, const Plan &plan, const std::string &job_name,
                    Agents &agents);

    // Question `question` of `node`, of a process of name space `parent`. Returns the new
    // processes, whose numbers follow those that there are.
    std::vector<Process> on_request(int node, int question, const std::string &request,
                                    const std::string &parent);
    // Word::AddedStarted of `node`.
    void on_started(int node, int request, int error);
    // What is being started there cannot be.
    void on_host_lost(int node);
    // Which nodes come to a fence of this name space.
    std::vector<int> nodes_of(const std::string &name_space) const;

    const Families &families() const { return families_; }

    // By number in the job, also of the first ones.
    bool is_added(size_t number) const { return number >= plan_.processes.size(); }

    const Process &process(size_t number) const { return added_[number - plan_.processes.size()]; }

    bool is_part_of_none(size_t number) const {
        return is_added(number) && process(number).is_part_of_none;
    }

    int node_of(size_t number) const {
        return is_added(number) ? process(number).node : plan_.processes[number].node;
    }

    void on_end(size_t number, bool never_started);

private:
    struct Pending {
        int node, question; // who has asked
        std::string name_space;
        std::set<int> missing; // nodes whose agents have not answered
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
    std::vector<int> free_; // slots, by node; of first processes that have ended are not
    std::map<std::string, std::vector<int>> nodes_; // by name space
    std::map<int, Pending> pending_;                // by number of the request
    Families families_;
    int requests_ = 0;
};

} // namespace mpiexec
