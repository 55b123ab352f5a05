// wireup: which processes make up the job, which ranks each of them hosts, and where they are.
//
// A *node process* is an operating-system process that hosts ranks of the job; a *node* is a
// machine. Most jobs have one node process and pay nothing for this. Others use only PMIx: the
// server in mpiexec, Slurm (srun --mpi=pmix) or PRRTE.
//
// Order of calls in a process: wireup_begin() before its ranks are made (from then on the numbers
// are known); wireup_connect() when the first of its ranks begins MPI; then publish(), fence(),
// fetch() any number of times; wireup_end() when its last rank has finalized MPI.
//
// Invariants
// 1. Node processes are numbered from 0; the ranks of a process are consecutive, and those of the
//    next process follow: world ranks are in the order of processes.
// 2. All numbers are the same in all processes, and do not change once wireup_begin() has returned.
// 3. Processes that are added to the running job (MPI_Comm_spawn) have one rank each, and numbers
//    after all others: of processes from node_process_count() on, of ranks from added_rank(0) on.
#pragma once
#include "base/node_process.h"
#include "fiber/task.h"
#include "wireup/origin.h"

#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

// True if the job has other node processes. Written by wireup_begin(), before any rank runs, and by
// wireup_expect_others(). Relaxed: a rank that meets another process has learned of it by other
// means.
extern constinit std::atomic<bool> several_node_processes;

// Returns whether the job has node processes besides this one: one load, for paths that look up
// peers.
inline bool has_other_processes() {
    return several_node_processes.load(std::memory_order_relaxed);
}

// Finds out whether this process is one of several, and returns that. `local_ranks`: number of
// ranks of this process.
bool wireup_begin(int local_ranks) MAY_SUSPEND;

inline constexpr int initial_ranks_max = 1 << 22; // of several processes; world ranks have 24 bits
int node_process_count();                         // number of initial processes

// The initial processes, in the order of their numbers.
inline NodeProcesses node_processes() {
    return NodeProcesses(node_process_count());
}

NodeProcess this_node_process();
int world_size();                            // size of MPI_COMM_WORLD, whose ranks are consecutive
int first_rank_of_world();                   // 0, unless this process was added
int first_world_size();                      // number of ranks of the initial processes
NodeProcess node_process_of(int world_rank); // the process that hosts it
std::span<const int> ranks_of(NodeProcess process); // world ranks, ascending; for an initial
                                                    // process, or for this one
int node_of(NodeProcess process); // nodes are numbered from 0, by their first process
int node_count();
// Returns the name of `process`'s node. Known after wireup_connect(), like the next one.
const std::string &host_of(NodeProcess process);
// Returns a name that is unique among the current jobs of a machine, and the same in all processes
// of the job, including added ones.
const std::string &job_name();

// Connects this process with the others, without waiting for them. Idempotent; may be called by any
// thread; a fiber is parked meanwhile. If it fails, ends the job with a line that gives cause and
// remedy.
void wireup_connect() MAY_SUSPEND;
// Leaves the job; the others learn that this is not a failure. None of the functions below may be
// called afterwards.
void wireup_end() MAY_SUSPEND;

// Publishes a value that the other processes may fetch() after all have called publish() and then
// fence(). Values may contain any byte.
void publish(std::string_view key, std::string_view value) MAY_SUSPEND;
// Waits for all node processes. Parks the calling fiber; only one caller of a process at a time.
void fence() MAY_SUSPEND;
// Does the same before wireup_end(), but does not wait for processes that have ended.
void fence_to_leave() MAY_SUSPEND;
// Returns what `process` has published as `key` ("" if nothing). Parks a fiber meanwhile.
std::string fetch(NodeProcess process, std::string_view key) MAY_SUSPEND;
// Returns the values of all processes, in the order of their numbers.
std::vector<std::string> fetch_all(std::string_view key) MAY_SUSPEND;

// --- Processes that are added to the job.

inline constexpr int added_processes_max = 4096; // limit over the life of a job

// Returns the world rank of the `index`-th added process.
int added_rank(int index);
int added_rank_end(); // one more than the last possible rank

const Origin *origin(); // nullptr: this is not an added process

// Prepares a job of one process for more: connects it with its server, or with one that it starts.
// Idempotent. Returns false, with a sentence in `why`, if there is none.
bool wireup_expect_others(std::string &why) MAY_SUSPEND;

// A program of MPI_Comm_spawn_multiple, with everything that its processes need.
struct SpawnedProgram {
    int processes = 1;
    std::string path;
    std::vector<std::string> arguments; // including argv[0]
    std::string directory;              // "": the server chooses
    std::vector<std::string> variables; // all of them, as NAME=VALUE
};

// HostLost: a host was lost on which some were about to run; another try may use others.
enum class SpawnResult { Started, HostLost, Refused };

// Asks the launcher to start processes, numbered from origin.first_process on. On failure none
// runs, `why` contains a sentence, and the numbers may have been used up.
SpawnResult spawn_processes(const std::vector<SpawnedProgram> &programs, const Origin &origin,
                            std::string &why) MAY_SUSPEND;

// --- Names that the processes of the job, and those of jobs beside it, find (PMIx_Publish).

// The result of publishing, or looking up, a name.
enum class NameResult { Done, Known, Unknown, Failed }; // Failed: `why` contains the cause

NameResult publish_globally(const std::string &name, const std::string &value,
                            std::string &why) MAY_SUSPEND;
NameResult look_up_globally(const std::string &name, std::string &value,
                            std::string &why) MAY_SUSPEND;
NameResult unpublish_globally(const std::string &name, std::string &why) MAY_SUSPEND;

// Returns whether the launcher reports failed processes to all others, including added ones.
// Thrum's mpiexec does.
bool launcher_tells_of_failures();

// Aborts the whole job with exit code `code`. Prints `message` ("" if it has been printed) to
// standard error once.
[[noreturn]] void job_abort(int code, std::string_view message);

// Sets the function that is called on a thread of PMIx when the launcher reports that node process
// `process` has ended. `failed`: without wireup_end(), as reported by Thrum's mpiexec, which also
// covers added processes; otherwise the process is in this one's MPI_COMM_WORLD. Must be set before
// wireup_connect().
void set_process_lost_function(void (*function)(NodeProcess process, bool failed));

} // namespace thrum
