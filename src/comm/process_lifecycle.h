// How the MPI state of ranks is made and freed, with MPI_COMM_WORLD and MPI_COMM_SELF.
#pragma once
#include "comm/errhandler.h"
#include "comm/process.h"

namespace thrum {

// Makes the Process objects of all ranks, and what MPI_COMM_WORLD and MPI_COMM_SELF are. Called
// before any rank runs; unit tests call run_processes() of comm/testing.h. Called again (by tests),
// it first frees what the last call made. Only ranks [first_local, first_local + local_count) are
// in this node process; of the others there is no more than the number. Ranks of a process that was
// added to the job begin MPI_COMM_WORLD with number `first_of_world`.
void create_processes(int world_size, int first_local, int local_count, int first_of_world = 0);

inline void create_processes(int world_size) {
    create_processes(world_size, 0, world_size);
}

// Joins a rank with its Process: process_at(rank.world_rank).
Process &bind_process(Rank &rank);
// The processes of ranks that are added to the job (rank/added.h), with an MPI_COMM_WORLD of their
// own. They lie behind the others in the same block of memory.
void add_processes(Rank *const *ranks, size_t count);
// They have all ended, or never run. True if no group of any process has one of them any more: they
// are gone.
bool forget_processes(Rank *const *ranks, size_t count);
// What MPI_COMM_WORLD and MPI_COMM_SELF begin with (section 11.2.1); a predefined one.
void set_initial_errhandler(Process &process, Errhandler &errhandler);
// Sets how a rank's FileDefaults are freed (nullptr is fine). The layer io calls it in a
// constructor of its own.
void set_forget_file_defaults_function(void (*function)(FileDefaults *defaults));

} // namespace thrum
