// Refuses processes of a job that cannot join it. Each would be a separate job, and the program
// would print "rank 0 of 1" as often as it runs. They end with one line that states the cause.
//
// A program that a rank starts after it has begun MPI is different: it is a separate job, and runs.
// (Before MPI begins, a process may be a shell that starts the rank.)
#pragma once

namespace thrum {

// Ends the process if it has not joined a job although a launcher above it has a job with more
// ranks. Called when a rank begins MPI. THRUM_SINGLETON=1 allows jobs of one rank.
void refuse_unlaunched_task();

// Makes programs that this rank starts from now on separate jobs. Called when a rank has begun MPI.
void let_children_be_jobs();

} // namespace thrum
