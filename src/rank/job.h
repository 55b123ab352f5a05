// Job: the ranks of this process from their start to their end, and how the process ends.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Starts all ranks: images, tasks, workers; runs `main` in each. Called from our __libc_start_main
// on the main thread, which becomes the first rank. Ends the process with a message if there is not
// enough memory. Does not return.
[[noreturn]] void run_job(int (*main)(int, char **, char **), int argc, char **argv,
                          char **environment);

// Runs `main` in a process of one rank, which stays an ordinary process, and returns its result to
// the C library, whose exit() does the rest.
int run_singleton(int (*main)(int, char **, char **), int argc, char **argv, char **environment);
// Makes the rank of such a process, and its MPI state. Called once.
RankThread &make_singleton();

// Returns the file of the rank's program in a job of several program specifications; otherwise
// nullptr.
const char *program_path(const Rank &rank);

// Allows ranks to be added while the job runs, when the program has been captured. If that is
// impossible, forbid_growth() is called instead. Both before run_job().
void let_job_grow();
void forbid_growth(const char *reason); // static text
bool job_may_grow();
const char *reason_not_to_grow(); // nullptr: growth has not been forbidden

// Returns whether every rank has ended and the process is about to end.
bool job_is_over();

// Adds ranks to the job, before they run: the job ends with its last rank. The caller must be a
// rank.
void count_added_ranks(int count);

// Ends the calling rank with exit code `code` (0..255), after its handlers have run and its output
// is flushed; with the last rank the process ends. Decides whether the end is a mistake.
[[noreturn]] void end_rank(int code);

// Decisions that this folder leaves to the layers above. Set before run_job(). Each may be nullptr.
struct JobHooks {
    // Makes MPI state for all ranks of rank_at(). Called once, on the main thread, before any rank
    // runs.
    void (*before_ranks)(int world_size) = nullptr;
    // Prepares an OS thread, on which it is called, for running ranks.
    void (*thread_started)() = nullptr;
    // Judges the end of a rank with `code`. Returns a complaint (static or heap text), for example
    // that the rank has not called MPI_Finalize, or nullptr. Sets *end_others if the rest of the
    // job must end.
    const char *(*rank_ended)(Rank &rank, int code, bool *end_others) = nullptr;
    // Called when all ranks have ended, with the exit code of the job. Returns the one to use.
    int (*job_ended)(int code) = nullptr;
    // Frees the MPI state of ranks that were added together and have all ended. Returns false if
    // something still refers to it; then it is called again later.
    bool (*forget_ranks)(Rank *const *ranks, size_t count) = nullptr;
    // Does the same for ranks that have ended in the middle of MPI calls: destroys nothing.
    void (*abandon_ranks)(Rank *const *ranks, size_t count) = nullptr;
};

// Sets and returns the decisions of the layers above.
void set_job_hooks(const JobHooks &hooks);
const JobHooks &job_hooks();
// JobHooks::thread_started, for the threads that a rank makes.
void thread_has_started();

} // namespace thrum
