// Calls of the C library that may block in the kernel, made by ranks: what the blocking_*.cc files
// share. Such a call is tried without blocking first; if it would block, the rank goes to a spare
// worker for it (fiber/blocking_call.h), and the other ranks of its worker go on.
//
// A program that tries again and again (O_NONBLOCK, trylock) lets the others run at each failure.
#pragma once
#include "libc/blocking_section.h"

#include <cerrno>
#include <sys/uio.h>

extern "C" [[noreturn]] void __chk_fail(); // the C library's: a buffer is too small

namespace thrum {

// An attempt has failed; errno stays.
inline void let_others_run() MAY_SUSPEND {
    if (waits_in_place())
        return;
    int error = errno;
    yield();
    errno = error;
}

// A regular file, or none at all: the kernel answers at once.
bool never_blocks(int descriptor);
bool is_nonblocking(int descriptor); // O_NONBLOCK

// read(2), write(2) and their kin for any descriptor.
ssize_t blocking_read(int descriptor, void *data, size_t size_bytes) MAY_SUSPEND;
ssize_t blocking_readv(int descriptor, const iovec *pieces, int count) MAY_SUSPEND;
ssize_t blocking_write(int descriptor, const void *data, size_t size_bytes) MAY_SUSPEND;
ssize_t blocking_writev(int descriptor, const iovec *pieces, int count) MAY_SUSPEND;
// open(2) waits for the other side of a pipe that has a name.
bool is_named_pipe(int directory, const char *path);

// The C library's FILEs read and write through us: fgets() on a pipe must not hold the worker
// either. Once, before there are ranks.
void divert_stdio();

} // namespace thrum
