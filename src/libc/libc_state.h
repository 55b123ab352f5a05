// LibcState: the C library's process-wide state, of which every rank has its own
// (docs/process_semantics.md lists what is private, and how). The overrides are written into the
// slots of the program's private objects, not exported: the C library, libmpi and other shared
// libraries keep the real functions.
#pragma once
#include "image/image.h"
#include "rank/rank.h"

namespace thrum {

struct LibcState; // libc/libc_family.h

// What capture() writes into the program's slots. Allocates nothing.
const Overrides &libc_overrides();

// Makes the state of the rank that runs the originals, whose constructors run before any rank
// exists: after capture() (a malloc of the program's would otherwise get into the template) and
// before those constructors, which keep the values of stdout and stderr (std::cout). settings()
// must be read.
void prepare_libc_state();

// Makes the C-library state of a rank, before its image exists; the first call, that of the rank
// which runs the originals. It has a copy of `argv` and `environment` of its own. Its variables
// are handed to make_image().
void give_libc_state(Rank &rank, int argc, char **argv, char **environment);
// Does the same for a rank that is added to a running job.
void give_added_libc_state(Rank &rank, int argc, char **argv, char **environment);
// Whether the state of a rank that has ended can go. False: something of the process still refers
// to it (threads, timers, signals, children).
bool may_delete_libc_state(const LibcState &state);
// Takes the state from the rank, and frees it if it has been bound.
void take_libc_state(Rank &rank);
// After the image exists: binds optind, environ, stdout ... to where this rank's copies are.
void bind_libc_state(Rank &rank);
// On the rank's own thread or fiber, before anything of the program runs there.
void enter_main_thread(LibcState &state);
char **rank_environment(const Rank &rank);

// exit(): thread-local destructors, the rank's atexit list, its image's destructors, its stdio;
// then the rank ends, and with the last rank the process. Does not return.
[[noreturn]] void rank_exit(int code);
// _exit(): none of these but the end.
[[noreturn]] void rank_exit_now(int code);

// chdir() for the calling rank only. Returns 0, or -1 and errno.
int change_directory(const char *path);

// Writes what ranks have printed and not yet flushed; for the end of the process, also a sudden
// one.
void flush_all_output() MAY_SUSPEND;
// The same when all ranks have ended. False: some of it is lost.
bool flush_at_ordinary_end() MAY_SUSPEND;

} // namespace thrum
