// Calls of the C library that may block in the kernel, made by ranks: what the blocking_*.cc files
// share.
//
// Such a call is tried without blocking first. If it would block, the rank goes to a spare worker
// for it (fiber/blocking_call.h), and the other ranks of its worker go on. Where there is no way to
// try, the rank goes there at once. A program that tries again and again itself (O_NONBLOCK,
// trylock) lets other ranks run at each failure; otherwise it could wait for a rank of the same
// worker for ever.
#pragma once
#include "libc/blocking_section.h"

#include <cerrno>
#include <sys/uio.h>

extern "C" [[noreturn]] void __chk_fail(); // the C library's: a buffer is too small

namespace thrum {

// Lets other ranks run after a failed attempt of the program. Keeps errno.
inline void let_others_run() MAY_SUSPEND {
    count_outside_look();
    if (waits_in_place())
        return;
    int error = errno;
    yield();
    errno = error;
}

// Returns whether the kernel answers at once: for a regular file, a directory or a block device, or
// for no file at all.
bool never_blocks(int descriptor);
// Returns whether O_NONBLOCK is set.
bool is_nonblocking(int descriptor);

// Do what read(2), write(2) and related calls do, for any descriptor of the process's table.
ssize_t blocking_read(int descriptor, void *data, size_t size_bytes) MAY_SUSPEND;
ssize_t blocking_readv(int descriptor, const iovec *pieces, int count) MAY_SUSPEND;
ssize_t blocking_write(int descriptor, const void *data, size_t size_bytes) MAY_SUSPEND;
ssize_t blocking_writev(int descriptor, const iovec *pieces, int count) MAY_SUSPEND;
// Returns whether open(2) of `path`, relative to `directory`, would wait for the other side of a
// named pipe. Keeps errno.
bool is_named_pipe(int directory, const char *path);

// Makes the C library's FILEs read and write through the functions above: fgets() on a pipe must
// not hold the worker either. Called once, before there are ranks.
void divert_stdio();

} // namespace thrum
