// Job: the ranks of this process from their start to their end, and how the process ends.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Starts all ranks: images, tasks, workers; runs `main` in each. Called from our __libc_start_main
// on the main thread, which becomes rank 0. Does not return.
[[noreturn]] void run_job(int (*main)(int, char **, char **), int argc, char **argv,
                          char **environment);

// The same for a process of one rank, which stays an ordinary process: runs `main` and returns its
// result to the C library, whose exit() does the rest.
int run_singleton(int (*main)(int, char **, char **), int argc, char **argv, char **environment);
// Its first part: makes the rank and its MPI state.
RankThread &make_singleton();

// In a job of several program specifications: the file of the rank's; else nullptr.
const char *program_path(const Rank &rank);

// Whether ranks may be added while the job runs: set before run_job(), when the program has been
// captured.
void let_job_grow();
void forbid_growth(const char *reason); // static text: why the program could not be captured
bool job_may_grow();
const char *reason_not_to_grow(); // nullptr: nobody has asked for it

// Whether every rank has ended, and the process is at its own end.
bool job_is_over();

// Adds ranks to the job, which ends with its last rank.
void count_added_ranks(int count);

// Ends the calling rank with exit code `code` (0..255), after its handlers have run and its output
// is flushed; with the last rank the process ends. Decides whether the end is a mistake.
[[noreturn]] void end_rank(int code);

// What the layers above want to know or decide. Set before run_job(). Each may be nullptr.
struct JobHooks {
    // Before any rank runs, on the main thread, once: make MPI state for all ranks of rank_at().
    void (*before_ranks)(int world_size) = nullptr;
    // On each new OS thread that will run ranks, before it does.
    void (*thread_started)() = nullptr;
    // A rank has ended with `code`. Returns a complaint (static or heap text), for example that it
    // has not called MPI_Finalize, or nullptr. *end_others: the rest of the job shall not go on.
    const char *(*rank_ended)(Rank &rank, int code, bool *end_others) = nullptr;
    // Ranks that were added together have all ended. Called until it returns true: nobody refers to
    // their MPI state any more, which is gone.
    bool (*forget_ranks)(Rank *const *ranks, size_t count) = nullptr;
};

void set_job_hooks(const JobHooks &hooks);
const JobHooks &job_hooks();
// JobHooks::thread_started, for the threads that a rank makes.
void thread_has_started();

} // namespace thrum
