// Ranks in MPI_Finalize while the others wait for them: a program that fails in one rank ends MPI
// there, by mpi4py's exit function or a destructor, and only then exits with its code. When some
// ranks wait for those in MPI_Finalize, which wait for all, it lets these go, so that their exit
// codes are known.
#pragma once
#include "inspect/deadlock_report.h"

#include <string>
#include <vector>

namespace thrum {

// Makes all but these ranks of the snapshot ended ones, whose calls count no more.
void leave_only(Snapshot &snapshot, const std::vector<int> &world_ranks);

// Returns whether some ranks of the snapshot wait in MPI_Finalize, and others elsewhere.
bool some_are_in_finalize(const Snapshot &snapshot);

// Returns where the ranks wait that are not in MPI_Finalize, in one line: "ranks 0,2: MPI_Recv from
// rank 1, tag 0, MPI_COMM_WORLD, at ring.c:12 in main".
std::string others_of_finalize(const Snapshot &snapshot);

// Lets the ranks of this process that wait in MPI_Finalize return from it. `others` is what
// others_of_finalize() has said, for the report about their end. Returns false if there are none.
// Called when a rank is known never to come to MPI_Finalize. Each rank is released only once.
bool release_from_finalize(const std::string &others);

// Returns whether the rank was let go.
bool has_been_released(const Rank &rank);
// Returns that text; "" if nobody was released.
const std::string &others_of_released();

} // namespace thrum
