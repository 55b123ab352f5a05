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
// 3. Processes that are added to the running job (MPI_Comm_spawn) have one rank each, and numbers
//    behind all others: of processes from node_process_count() on, of ranks from added_rank(0) on.
#pragma once
#include "fiber/task.h"
#include "wireup/origin.h"

#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thrum {

// Written by wireup_begin(), before any rank runs, and by wireup_expect_others(). Relaxed: who
// meets another process has learnt of it by something else.
extern constinit std::atomic<bool> several_node_processes;

// Whether the job has node processes besides this one: one load, for paths that look peers up.
inline bool has_other_processes() {
    return several_node_processes.load(std::memory_order_relaxed);
}

// Finds out whether this process is one of several, which it returns. `local_ranks`: of this
// process.
bool wireup_begin(int local_ranks) MAY_SUSPEND;

int node_process_count(); // with which the job was started
int this_node_process();
int world_size();                           // of MPI_COMM_WORLD, whose ranks are consecutive
int first_rank_of_world();                  // 0, unless this process was added
int first_world_size();                     // of the processes with which the job was started
int node_process_of(int world_rank);        // that hosts it
std::span<const int> ranks_of(int process); // their world ranks, ascending; of the first ones, or
                                            // of this one
int node_of(int process);                   // nodes are numbered from 0, by their first process
int node_count();
// Name of the node that `process` is on. Known after wireup_connect(), as the next is.
const std::string &host_of(int process);
// Unique among the jobs of a machine at a time, the same in all processes of the job, and in those
// that are added to it.
const std::string &job_name();

// Connects this process with the others. Idempotent; any thread; a fiber is parked meanwhile. Ends
// the job with a line that names cause and remedy if it cannot. Does not wait for other processes.
void wireup_connect() MAY_SUSPEND;
// Leaves; the others learn that this is no failure. Nothing of the below may be called any more.
void wireup_end() MAY_SUSPEND;

// What the other processes may fetch() when all, after publish(), have come to the next fence().
// Values may hold any byte.
void publish(std::string_view key, std::string_view value) MAY_SUSPEND;
// All node processes meet. The calling fiber is parked; one caller of a process at a time.
void fence() MAY_SUSPEND;
// The same before wireup_end(): nobody who is gone keeps the others.
void fence_to_leave() MAY_SUSPEND;
// What `process` has published as `key` ("" if nothing). A fiber is parked meanwhile.
std::string fetch(int process, std::string_view key) MAY_SUSPEND;
// The same of all processes, in the order of their numbers.
std::vector<std::string> fetch_all(std::string_view key) MAY_SUSPEND;

// --- Processes that are added to the job.

inline constexpr int added_processes_max = 4096; // in the life of a job

// The world rank of the `index`-th one.
int added_rank(int index);
int added_rank_end(); // behind the last one that there can be

const Origin *origin(); // nullptr: this process was not added

// A job of one process gets company: connects it with its server, or with one that it starts.
// Idempotent. False, and a sentence in `why`: there is none.
bool wireup_expect_others(std::string &why) MAY_SUSPEND;

struct SpawnedProgram {
    int processes = 1;
    std::string path;
    std::vector<std::string> arguments; // with argv[0]
    std::string directory;              // "": the server's own choice
    std::vector<std::string> variables; // NAME=VALUE, all
};

// HostLost: a host on which some were to run, at that moment; another try may find others.
enum class SpawnResult { Started, HostLost, Refused };

// Has the launcher start processes, numbered from origin.first_process on. If it does not, none
// runs, `why` is a sentence, and the numbers may have been used up.
SpawnResult spawn_processes(const std::vector<SpawnedProgram> &programs, const Origin &origin,
                            std::string &why) MAY_SUSPEND;

// --- Names that the processes of the job, and those of jobs beside it, find (PMIx_Publish).

enum class NameResult { Done, Known, Unknown, Failed }; // Failed: `why` says what

NameResult publish_globally(const std::string &name, const std::string &value,
                            std::string &why) MAY_SUSPEND;
NameResult look_up_globally(const std::string &name, std::string &value,
                            std::string &why) MAY_SUSPEND;
NameResult unpublish_globally(const std::string &name, std::string &why) MAY_SUSPEND;

// Whether it tells everybody of processes that fail, added ones included: mpiexec of ours does.
bool launcher_tells_of_failures();

// Ends the whole job with exit code `code`; `message` ("" if it has been said) goes to standard
// error once.
[[noreturn]] void job_abort(int code, std::string_view message);

// Called on a thread of PMIx when the launcher tells that node process `process` has ended.
// `failed`: without wireup_end(), as mpiexec of ours says, which tells of added processes, too, and
// tells these; else the process is of this one's MPI_COMM_WORLD. Set before wireup_connect().
void set_process_lost_function(void (*function)(int process, bool failed));

} // namespace thrum
