// Creates and frees the MPI state of ranks, with MPI_COMM_WORLD and MPI_COMM_SELF.
#pragma once
#include "comm/errhandler.h"
#include "comm/process.h"

namespace thrum {

// Creates the Process objects of all ranks, and what MPI_COMM_WORLD and MPI_COMM_SELF denote.
// Called before any rank runs; unit tests call run_processes() of comm/testing/processes.h. A
// further call (by tests) first frees the results of the last one. Only ranks [first_local,
// first_local + local_count) are in this node process; only the number is set for the others. In a
// process that was added to the job, MPI_COMM_WORLD begins with number `first_of_world`.
void create_processes(int world_size, int first_local, int local_count, int first_of_world = 0);

// All ranks are in this process, from number 0 on.
inline void create_processes(int world_size) {
    create_processes(world_size, 0, world_size);
}

// Connects a rank with its Process: process_at(rank.world_rank).
Process &bind_process(Rank &rank);
// Creates the processes of ranks that are added to the job (rank/added.h), with their own
// MPI_COMM_WORLD. They follow the initial ranks in the same block of memory.
void add_processes(Rank *const *ranks, size_t count);
// Forgets processes that have all ended, or never run. Returns true if no group contains any of
// them, so that they are freed.
bool forget_processes(Rank *const *ranks, size_t count);
// Forgets processes that have ended in the middle of MPI calls: what they own may refer to stacks
// that are gone, so it is not destroyed and its memory is lost.
void abandon_processes(Rank *const *ranks, size_t count);
// Sets the initial error handler of MPI_COMM_WORLD and MPI_COMM_SELF (section 11.2.1), which must
// be predefined.
void set_initial_errhandler(Process &process, Errhandler &errhandler);

} // namespace thrum
