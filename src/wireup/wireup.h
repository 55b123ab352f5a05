// wireup: which processes make up the job, which ranks each of them hosts, and where they are.
//
// A *node process* is an operating-system process that hosts ranks of the job; a *node* is a
// machine. Most jobs have one node process, and nothing here costs them anything. The others are
// wired up by PMIx alone: by the server in mpiexec, by Slurm (srun --mpi=pmix) or by PRRTE.
//
// Order of calls in a process: wireup_begin() before its ranks are made (numbers are known from
// then on); wireup_connect() when the first of its ranks begins MPI; then publish(), fence(),
// fetch() as often as wanted; wireup_end() when its last rank has finalized MPI.
//
// Invariants
// 1. Node processes are numbered from 0; the ranks of a process are consecutive, and those of the
//    next process follow: world ranks are in the order of processes.
// 2. All numbers are the same in all processes, and do not change once wireup_begin() has returned.
#pragma once
#include "fiber/task.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

extern constinit bool several_node_processes; // written by wireup_begin(), before any rank runs

// Whether the job has node processes besides this one: one load, for paths that look peers up.
inline bool has_other_processes() {
    return several_node_processes;
}

// Finds out whether this process is one of several, which it returns. `local_ranks`: of this
// process.
bool wireup_begin(int local_ranks);

int node_process_count();
int this_node_process();
int world_size();                           // ranks of all node processes
int node_process_of(int world_rank);        // that hosts it
std::span<const int> ranks_of(int process); // their world ranks, ascending
int node_of(int process);                   // nodes are numbered from 0, by their first process
int node_count();
// Name of the node that `process` is on. Known after wireup_connect(), as the next is.
const std::string &host_of(int process);
// Unique among the jobs of a machine at a time, the same in all processes of the job.
const std::string &job_name();

// Connects this process with the others. Idempotent; any thread; a fiber is parked meanwhile. Ends
// the job with a line that names cause and remedy if it cannot. Does not wait for other processes.
void wireup_connect() MAY_SUSPEND;
// Leaves; the others learn that this is no failure. Nothing of the below may be called any more.
void wireup_end() MAY_SUSPEND;

// What the other processes may fetch() when all, after publish(), have come to the next fence().
// Values may hold any byte.
void publish(std::string_view key, std::string_view value);
// All node processes meet. The calling fiber is parked; one caller of a process at a time.
void fence() MAY_SUSPEND;
// What `process` has published as `key` ("" if nothing). A fiber is parked meanwhile.
std::string fetch(int process, std::string_view key) MAY_SUSPEND;
// The same of all processes, in the order of their numbers.
std::vector<std::string> fetch_all(std::string_view key) MAY_SUSPEND;

// Ends the whole job with exit code `code`; `message` ("" if it has been said) goes to standard
// error once.
[[noreturn]] void job_abort(int code, std::string_view message);

// Called on a thread of PMIx when node process `process` has ended without wireup_end(). Set before
// wireup_connect(); without it, and after it has returned, the launcher ends the job.
void set_process_lost_function(void (*function)(int process));

} // namespace thrum
