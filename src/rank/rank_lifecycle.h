// How a rank lives, whether the job starts with it (job.cc) or it is added later (added.cc).
// Private to this folder.
#pragma once
#include "rank/rank.h"

#include <csetjmp>
#include <cstddef>

namespace thrum {

using Main = int(int, char **, char **);

// Sets what all ranks without an entry point of their own run: `main` in the originals.
void choose_main(Main *main);

// Runs a rank from its first instruction to its last. Its thread-local variables have their initial
// values.
[[noreturn]] void live(Rank &rank) MAY_SUSPEND;
void live_on_fiber(void *rank) MAY_SUSPEND;

// Replaces __libc_start_main for the _start of a program that is not the process's own.
[[noreturn]] int start_loaded_program(Main *main, int, char **, void (*)(), void (*)(), void (*)(),
                                      void *) MAY_SUSPEND;

// Returns the size of a rank's stack: THRUM_STACK, or the default for a process with `ranks` ranks.
size_t rank_stack_bytes(int ranks);
// Where the OS thread of an added rank returns to the C library when the rank has ended.
extern constinit thread_local jmp_buf *end_of_added_thread;

} // namespace thrum
