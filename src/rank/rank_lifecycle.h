// The life of a rank, for those with which the job starts (job.cc) and those that are added to it
// (added.cc). Private to this folder.
#pragma once
#include "rank/rank.h"

#include <csetjmp>
#include <cstddef>

namespace thrum {

using Main = int(int, char **, char **);

// Sets what all ranks without an entry point of their own run: `main` in the originals.
void choose_main(Main *main);

// What a rank does from its first instruction to its last. Its thread-local variables have their
// initial values.
[[noreturn]] void live(Rank &rank) MAY_SUSPEND;
void live_on_fiber(void *rank) MAY_SUSPEND;

// What the _start of a program that is not the process's own gets for __libc_start_main.
[[noreturn]] int start_loaded_program(Main *main, int, char **, void (*)(), void (*)(), void (*)(),
                                      void *);

size_t rank_stack_bytes(int ranks);
// Where an OS thread that an added rank has returns to the C library, when the rank has ended.
extern constinit thread_local jmp_buf *end_of_added_thread;

} // namespace thrum
