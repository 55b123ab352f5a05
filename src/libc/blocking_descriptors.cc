// Reads and writes descriptors that are not files; opens named pipes.
//
// RWF_NOWAIT makes one attempt, whatever O_NONBLOCK says (that flag belongs to all who share the
// descriptor). Kernels that do not support it for a kind of descriptor fail with EOPNOTSUPP; then
// the rank goes to a spare worker at once. poll() cannot decide whether to wait: two ranks may wait
// at one pipe, and one that finds it readable may find it empty a moment later.
#include "libc/blocking.h"
#include "libc/descriptor_limit.h"
#include "libc/libc_state.h"
#include "libc/program_files.h"
#include "libc/standard_descriptors.h"

#include <algorithm>
#include <cstdarg>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace thrum {

bool never_blocks(int descriptor) {
    struct stat status;
    if (::fstat(descriptor, &status) != 0)
        return true; // the call itself says what is wrong
    return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode);
}

bool is_nonblocking(int descriptor) {
    int flags = ::fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_NONBLOCK);
}

namespace {

// Returns whether the attempt with RWF_NOWAIT has only shown that the call must wait, or that the
// file does not support the attempt.
bool is_undecided(ssize_t result) {
    return result < 0 && (errno == EAGAIN || errno == EOPNOTSUPP || errno == ENOSYS);
}

// Returns the result of a call on a non-blocking descriptor, which the program repeats.
ssize_t polled(ssize_t result) MAY_SUSPEND {
    if (result < 0 && errno == EAGAIN)
        let_others_run();
    return result;
}

size_t bytes_in(const iovec *pieces, int count) {
    size_t bytes = 0;
    for (int i = 0; i < count; ++i)
        bytes += pieces[i].iov_len;
    return bytes;
}

// Returns the rest of `pieces` after their first `done` bytes.
std::vector<iovec> rest_of(const iovec *pieces, int count, size_t done) {
    std::vector<iovec> rest(pieces, pieces + count);
    size_t i = 0;
    for (; i < rest.size() && done >= rest[i].iov_len; ++i)
        done -= rest[i].iov_len;
    rest.erase(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(i));
    if (!rest.empty()) {
        rest[0].iov_base = static_cast<char *>(rest[0].iov_base) + done;
        rest[0].iov_len -= done;
    }
    return rest;
}

// Joins the results of a transfer in two parts. If the second has failed, the first counts, and the
// program's next call reports the error.
ssize_t sum(ssize_t first, ssize_t second) {
    if (first <= 0)
        return second;
    return second > 0 ? first + second : first;
}

} // namespace

ssize_t blocking_readv(int descriptor, const iovec *pieces, int count) {
    count_outside_look();
    if (waits_in_place() || never_blocks(descriptor))
        return ::readv(descriptor, pieces, count);
    ssize_t n = ::preadv2(descriptor, pieces, count, -1, RWF_NOWAIT);
    if (!is_undecided(n))
        return n;
    if (is_nonblocking(descriptor))
        return polled(::readv(descriptor, pieces, count));
    return blocking("read", [&] { return ::readv(descriptor, pieces, count); });
}

ssize_t blocking_read(int descriptor, void *data, size_t size_bytes) {
    iovec piece = {data, size_bytes};
    return blocking_readv(descriptor, &piece, 1);
}

ssize_t blocking_writev(int descriptor, const iovec *pieces, int count) {
    if (waits_in_place() || never_blocks(descriptor))
        return ::writev(descriptor, pieces, count);
    ssize_t n = ::pwritev2(descriptor, pieces, count, -1, RWF_NOWAIT);
    if (n < 0 ? !is_undecided(n) : static_cast<size_t>(n) == bytes_in(pieces, count))
        return n;
    if (is_nonblocking(descriptor))
        return n >= 0 ? n : polled(::writev(descriptor, pieces, count));
    std::vector<iovec> rest = rest_of(pieces, count, n > 0 ? static_cast<size_t>(n) : 0);
    ssize_t more = blocking(
        "write", [&] { return ::writev(descriptor, rest.data(), static_cast<int>(rest.size())); });
    return sum(n, more);
}

ssize_t blocking_write(int descriptor, const void *data, size_t size_bytes) {
    iovec piece = {const_cast<void *>(data), size_bytes};
    return blocking_writev(descriptor, &piece, 1);
}

bool is_named_pipe(int directory, const char *path) {
    struct stat status;
    int error = errno;
    bool is_pipe = path && ::fstatat(directory, path, &status, 0) == 0 && S_ISFIFO(status.st_mode);
    errno = error;
    return is_pipe;
}

namespace {

ssize_t override_read(int descriptor, void *data, size_t size_bytes) MAY_SUSPEND {
    return blocking_read(real_descriptor(descriptor), data, size_bytes);
}

ssize_t override_read_chk(int descriptor, void *data, size_t size_bytes,
                          size_t room_bytes) MAY_SUSPEND {
    if (size_bytes > room_bytes)
        __chk_fail();
    return blocking_read(real_descriptor(descriptor), data, size_bytes);
}

ssize_t override_readv(int descriptor, const iovec *pieces, int count) MAY_SUSPEND {
    return blocking_readv(real_descriptor(descriptor), pieces, count);
}

// ---- open

// Does what openat() does for a rank: its own program file, its own numbers 0 to 2, and no waiting
// on the worker for the other side of a pipe.
int open_at(int directory, const char *path, int flags, mode_t mode) MAY_SUSPEND {
    count_outside_look();
    auto open = [=] {
        return ::openat(directory, path, flags, mode);
    };
    bool may_wait = !(flags & (O_NONBLOCK | O_PATH | O_DIRECTORY));
    int result;
    if (!open_program_file(path, flags, result))
        result = may_wait && is_named_pipe(directory, path) ? blocking("open", open) : open();
    if (result < 0)
        note_failure_to_open();
    return numbered(result);
}

int override_openat(int directory, const char *path, int flags, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, flags);
    // Whether it is there or not: what open() reads without O_CREAT is of no consequence.
    auto mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int override_open(const char *path, int flags, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, flags);
    auto mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return open_at(AT_FDCWD, path, flags, mode);
}

int override_open_2(const char *path, int flags) MAY_SUSPEND {
    return open_at(AT_FDCWD, path, flags, 0);
}

int override_openat_2(int directory, const char *path, int flags) MAY_SUSPEND {
    return open_at(directory, path, flags, 0);
}

int override_creat(const char *path, mode_t mode) MAY_SUSPEND {
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

// ---- from descriptor to descriptor, and to the device

ssize_t override_sendfile(int out, int in, off_t *offset, size_t count) MAY_SUSPEND {
    out = real_descriptor(out);
    in = real_descriptor(in);
    if (never_blocks(out))
        return ::sendfile(out, in, offset, count);
    return blocking("sendfile", [&] { return ::sendfile(out, in, offset, count); });
}

ssize_t override_splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size_bytes,
                        unsigned flags) MAY_SUSPEND {
    out = real_descriptor(out);
    in = real_descriptor(in);
    return blocking("splice",
                    [&] { return ::splice(in, in_offset, out, out_offset, size_bytes, flags); });
}

ssize_t override_tee(int in, int out, size_t size_bytes, unsigned flags) MAY_SUSPEND {
    out = real_descriptor(out);
    in = real_descriptor(in);
    return blocking("tee", [&] { return ::tee(in, out, size_bytes, flags); });
}

ssize_t override_vmsplice(int descriptor, const iovec *pieces, size_t count,
                          unsigned flags) MAY_SUSPEND {
    descriptor = real_descriptor(descriptor);
    return blocking("vmsplice", [&] { return ::vmsplice(descriptor, pieces, count, flags); });
}

int override_tcdrain(int descriptor) MAY_SUSPEND {
    descriptor = real_descriptor(descriptor);
    return blocking("tcdrain", [&] { return ::tcdrain(descriptor); });
}

int override_fdatasync(int descriptor) MAY_SUSPEND {
    descriptor = real_descriptor(descriptor);
    return blocking("fdatasync", [&] { return ::fdatasync(descriptor); });
}

const FunctionOverride table[] = {
    OVERRIDE("read", override_read),           OVERRIDE("__read", override_read),
    OVERRIDE("__read_chk", override_read_chk), OVERRIDE("readv", override_readv),
    OVERRIDE("open", override_open),           OVERRIDE("open64", override_open),
    OVERRIDE("__open", override_open),         OVERRIDE("__open64", override_open),
    OVERRIDE("__open_2", override_open_2),     OVERRIDE("__open64_2", override_open_2),
    OVERRIDE("openat", override_openat),       OVERRIDE("openat64", override_openat),
    OVERRIDE("__openat_2", override_openat_2), OVERRIDE("__openat64_2", override_openat_2),
    OVERRIDE("creat", override_creat),         OVERRIDE("creat64", override_creat),
    OVERRIDE("sendfile", override_sendfile),   OVERRIDE("sendfile64", override_sendfile),
    OVERRIDE("splice", override_splice),       OVERRIDE("tee", override_tee),
    OVERRIDE("vmsplice", override_vmsplice),   OVERRIDE("tcdrain", override_tcdrain),
    OVERRIDE("fdatasync", override_fdatasync),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
