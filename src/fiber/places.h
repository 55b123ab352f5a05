// Where the workers of this process run on a machine with several NUMA nodes
// (docs/scheduling.md). There, worker i belongs to the i-th of the usable processors, in an order
// in which neighbours share caches. Its thread may run on all processors of that one's node.
//
// Workers have places only if there are as many of them as usable processors: with fewer, the
// kernel knows better which processors are free.
#pragma once
#include "fiber/hardware.h"

#include <sched.h>
#include <vector>

namespace thrum {

// Workers [first, first + count).
struct WorkerRange {
    int first = 0;
    int count = 0;

    bool contains(int worker) const { return worker >= first && worker < first + count; }
};

struct WorkerPlace {
    cpu_set_t cache_processors; // that share the L3 cache of the worker's processor
    cpu_set_t node_processors;  // of its NUMA node
    WorkerRange cache_mates;    // workers with the same cache; all include the worker itself
    WorkerRange node_mates;     // workers of the same node
};

// Returns the places of `count` workers that may use `processors`; none if workers have none.
std::vector<WorkerPlace> places_of_workers(const Hardware &hardware, const cpu_set_t &processors,
                                           int count);

// Decides for this machine where `count` workers run (THRUM_BIND_WORKERS=0: anywhere). Called
// before any of them runs; a second call with the same number changes nothing.
void plan_places(int count);

// Returns the place of a worker, or nullptr.
const WorkerPlace *place_of_worker(int worker);

// Binds the calling thread, a worker's. It begins on a processor that shares the place's cache and
// may then move inside the node, which the kernel does only if a processor is idle.
void bind_to(const WorkerPlace &place);

// Returns the worker that gets rank number `rank` of the `ranks` ranks with which the process
// starts: each worker gets a block of neighbours.
int home_worker(int rank, int ranks, int workers);

// Lets the thread that makes the state of ranks, before these run, be on the node of the worker
// that will run each: memory belongs to the node of the processor that touches it first. At its
// end the thread may run on all processors of the process again.
class NodeVisits {
public:
    NodeVisits() = default;
    ~NodeVisits();
    NodeVisits(const NodeVisits &) = delete;
    NodeVisits &operator=(const NodeVisits &) = delete;

    // Goes to the node of rank number `rank`. Without places, does nothing.
    void visit(int rank, int ranks);

    // Returns for how many ranks the thread has been on the node of their worker.
    int ranks_at_home() const { return ranks_at_home_; }

private:
    int node_ = -1; // the first worker of the node on which the thread is
    int ranks_at_home_ = 0;
};

// Returns the processors that fibers may use: all of the process, since a fiber may run on any
// worker.
cpu_set_t processors_of_fibers();
// Returns the processors that the calling task may use: for an OS thread its own.
cpu_set_t processors_of_caller();

} // namespace thrum
