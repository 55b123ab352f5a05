// Which processes of a job are connected from their beginning: those of a PMIx name space with each
// other, and with the members of the communicator that has spawned them (MPI_Comm_spawn). The loss
// of a process concerns its relatives only.
#pragma once
#include <map>
#include <set>
#include <string>

namespace mpiexec {

// A process, as families know it.
struct Relative {
    std::string name_space; // "": of the first processes
    int in_job = -1;        // number among the node processes of the job; -1: not known
};

// The processes that have spawned others.
struct Parents {
    std::string name_space; // of the process that has called PMIx_Spawn
    std::set<int> in_job;   // of the communicator; empty: not known
};

// The families of a job.
class Families {
public:
    void add(const std::string &name_space, Parents parents) {
        parents_[name_space] = std::move(parents);
    }

    // Returns whether each notices that the other is lost.
    bool are_related(const Relative &a, const Relative &b) const {
        return a.name_space == b.name_space || is_parent(a, b.name_space) ||
               is_parent(b, a.name_space);
    }

private:
    // Returns whether `process` is among the parents of a name space. Where the members of the
    // communicator or its number are not known, the whole name space counts.
    bool is_parent(const Relative &process, const std::string &children) const {
        auto found = parents_.find(children);
        if (found == parents_.end())
            return false;
        const Parents &parents = found->second;
        return parents.in_job.empty() || process.in_job < 0
                   ? parents.name_space == process.name_space
                   : parents.in_job.contains(process.in_job);
    }

    std::map<std::string, Parents> parents_; // by name space of the children
};

} // namespace mpiexec
