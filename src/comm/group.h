// Group (MPI 5.0 section 7.3): an ordered set of processes. Immutable and reference-counted, shared
// by all ranks: the group of MPI_COMM_WORLD costs no memory per member.
#pragma once
#include "mpi.h"

#include <atomic>
#include <vector>

namespace thrum {

struct Process;
using Group = struct ::MPI_ABI_Group;

} // namespace thrum

struct MPI_ABI_Group {
    int size = 0;
    thrum::Process *first = nullptr;        // members are neighbours in memory: first[rank]
    std::vector<thrum::Process *> members;  // otherwise; empty if `first` is set
    std::atomic<int> references{1};

    thrum::Process &operator[](int rank) const; // precondition: 0 <= rank < size
    // The rank of `process`, or MPI_UNDEFINED.
    int rank_of(const thrum::Process &process) const;
};

namespace thrum {

extern Group empty_group; // MPI_GROUP_EMPTY
Group *find_group(MPI_Group handle);
void retain(Group &group);
void release(Group &group);

} // namespace thrum
