// The ranks of a process whose job has other processes, too: rank_at(i) is then not world rank i,
// but the i-th of this process.
#pragma once

namespace thrum {

// The ranks of the job that this process hosts are consecutive.
struct JobShare {
    int first_rank = 0; // the world rank of rank_at(0)
    int world_size = 1; // ranks of the job, in all its processes
};

// create_ranks() (rank.h) for `count` ranks with these numbers.
void create_share_of_ranks(int count, const JobShare &share);

// Asked before ranks are made, once: which of the job's the `local_ranks` of this process are.
using FindShare = JobShare(int local_ranks);
void set_find_share(FindShare *function); // before run_job()

} // namespace thrum
