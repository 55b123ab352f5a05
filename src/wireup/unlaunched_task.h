// Processes of somebody's job that cannot join it: each would be a job of its own, and the program
// would print "rank 0 of 1" as often as it runs. They end with one line that says why.
//
// A program that a rank starts once it has begun MPI is another matter: it is a job of its own, and
// runs. (Before MPI begins, a process may be a shell that leads to the rank.)
#pragma once

namespace thrum {

// When a rank begins MPI and this process has not joined a job: ends the process if it is below a
// launcher whose job has more ranks. THRUM_SINGLETON=1 says that jobs of one rank are wanted.
void refuse_unlaunched_task();

// When a rank has begun MPI: programs that it starts from now on are jobs of their own.
void let_children_be_jobs();

} // namespace thrum
