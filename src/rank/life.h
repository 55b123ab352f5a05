// What the files share in which ranks begin and end: job.cc, for those with which the job starts,
// and added.cc. Private to this folder.
#pragma once
#include "fiber/task.h"
#include "rank/job.h"

#include <csetjmp>
#include <cstddef>

namespace thrum {

using Main = int(int, char **, char **);

// What a rank does from its first instruction to its last.
[[noreturn]] void live(Rank &rank) MAY_SUSPEND;
void live_on_fiber(void *rank) MAY_SUSPEND;

// What the _start of a program that is not the process's own gets for __libc_start_main.
[[noreturn]] int start_loaded_program(Main *main, int, char **, void (*)(), void (*)(), void (*)(),
                                      void *);

size_t rank_stack_bytes(int ranks);
const JobHooks &job_hooks();
// They belong to the job from now on, which ends with its last rank.
void count_added_ranks(int count);

// Of an OS thread that an added rank has: where it returns to the C library, when the rank has
// ended.
extern constinit thread_local jmp_buf *end_of_added_thread;

} // namespace thrum
