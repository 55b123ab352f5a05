// Which processes of a job are connected from their beginning: those of a PMIx name space with each
// other, and with those that have asked for them (MPI_Comm_spawn).
#pragma once
#include <map>
#include <string>

namespace mpiexec {

class Families {
public:
    // "": the name space of the first processes.
    void add(const std::string &name_space, const std::string &parent) {
        parents_[name_space] = parent;
    }

    // Whether those of `a` notice that one of `b` is lost: the same, parents or children.
    bool are_related(const std::string &a, const std::string &b) const {
        return a == b || is_parent(a, b) || is_parent(b, a);
    }

private:
    bool is_parent(const std::string &parent, const std::string &child) const {
        auto found = parents_.find(child);
        return found != parents_.end() && found->second == parent;
    }

    std::map<std::string, std::string> parents_;
};

} // namespace mpiexec
