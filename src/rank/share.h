// The ranks of a process whose job has other processes, too: rank_at(i) is then not world rank i,
// but the i-th of this process.
#pragma once

namespace thrum {

// Which ranks of the job this process hosts; they are consecutive.
struct JobShare {
    int first_rank = 0; // the world rank of rank_at(0)
    int world_size = 1; // ranks of the job, in all its processes
};

// Does what create_ranks() (rank.h) does, for `count` ranks with these numbers.
void create_share_of_ranks(int count, const JobShare &share);

// Sets the function that says which of the job's ranks the `local_ranks` of this process are. It is
// called once, before ranks are made; it must be set before run_job().
using FindShare = JobShare(int local_ranks);
void set_find_share(FindShare *function);

} // namespace thrum
