// Writing to descriptors 1 and 2 without a FILE, and changing what they mean.
//
// The ranks share the process's descriptors. What a rank writes to its standard output and error
// with write() or writev() (libstdc++'s streams with sync_with_stdio(false), libgfortran) goes
// through the rank's OutputStream. dup2() onto them and close() of them concern this rank only:
// they change the target of the OutputStream, never the process's table. standard_descriptors.cc
// does the same for functions that take any descriptor.
#include "libc/descriptors.h"

#include "libc/blocking.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"
#include "libc/standard_input.h"
#include "libc/streams.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace thrum {
namespace {

// The rank's stream if `descriptor` is its standard output or error; nullptr in a child of fork(),
// which has descriptors of its own.
OutputStream *stream_of(int descriptor) {
    if (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO)
        return nullptr;
    if (in_forked_child())
        return nullptr;
    LibcState &state = current_libc();
    return descriptor == STDOUT_FILENO ? &streams_of(state).out_stream
                                       : &streams_of(state).err_stream;
}

ssize_t override_write(int descriptor, const void *data, size_t size_bytes) MAY_SUSPEND {
    return write_for_rank(descriptor, data, size_bytes);
}

// Joins the pieces first: they may be parts of one line.
ssize_t override_writev(int descriptor, const iovec *pieces, int count) MAY_SUSPEND {
    OutputStream *stream = stream_of(descriptor);
    if (!stream)
        return blocking_writev(real_descriptor(descriptor), pieces, count);
    std::string text;
    for (int i = 0; i < count; ++i)
        text.append(static_cast<const char *>(pieces[i].iov_base), pieces[i].iov_len);
    return stream->write(text.data(), text.size());
}

int override_vdprintf(int descriptor, const char *format, va_list arguments) MAY_SUSPEND {
    OutputStream *stream = stream_of(descriptor);
    if (!stream)
        return ::vdprintf(real_descriptor(descriptor), format, arguments);
    char *text = nullptr;
    int n = ::vasprintf(&text, format, arguments);
    if (n >= 0) {
        n = static_cast<int>(stream->write(text, static_cast<size_t>(n)));
        std::free(text);
    }
    return n;
}

int override_dprintf(int descriptor, const char *format, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, format);
    int n = override_vdprintf(descriptor, format, arguments);
    va_end(arguments);
    return n;
}

int override_vdprintf_chk(int descriptor, int, const char *format, va_list arguments) MAY_SUSPEND {
    return override_vdprintf(descriptor, format, arguments);
}

int override_dprintf_chk(int descriptor, int, const char *format, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, format);
    int n = override_vdprintf(descriptor, format, arguments);
    va_end(arguments);
    return n;
}

// Returns whether both descriptors are open for the same file. A pipe or a terminal counts as a
// file.
bool same_file(int a, int b) {
    struct stat x, y;
    return ::fstat(a, &x) == 0 && ::fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

// Makes a standard descriptor of the rank mean what `source` is. dup2(file, 1) sends this rank's
// output to the file. dup2(saved, 1), with what dup(1) gave, brings it back to where it went at
// first. Returns the standard descriptor, or -1 and sets errno. The stream gets a duplicate, above
// 2: those numbers are special.
int redirect(OutputStream &stream, int source) MAY_SUSPEND {
    int standard = stream.descriptor();
    if (OutputStream *other = stream_of(source)) { // dup2(1, 2): both the same way
        if (other == &stream)
            return standard;
        int target = ::fcntl(real_descriptor(source), F_DUPFD_CLOEXEC, 3);
        if (target < 0)
            return -1;
        // If both go to the process's own descriptor, the stream goes there directly: then its
        // lines stay whole among those of other ranks.
        bool same = other->target() < 0 && same_file(source, standard);
        if (same)
            ::close(target);
        stream.redirect(same ? -1 : target);
        return standard;
    }
    source = real_descriptor(source);
    if (same_file(source, standard)) {
        stream.redirect(-1);
        return standard;
    }
    int target = ::fcntl(source, F_DUPFD_CLOEXEC, 3);
    if (target < 0)
        return -1;
    stream.redirect(target);
    return standard;
}

// Makes descriptor 0 of the rank mean what `source` is. The process's descriptor 0 itself is not
// replaced or closed: a file opened later would get its number. Returns 0, or -1 and sets errno.
int redirect_standard_input(int source) {
    if (source == STDIN_FILENO)
        return real_descriptor(source) >= 0 ? STDIN_FILENO : ::fcntl(-1, F_GETFD);
    int target = ::fcntl(real_descriptor(source), F_DUPFD_CLOEXEC, 3);
    if (target < 0)
        return -1;
    redirect_input(current_libc(), target);
    return STDIN_FILENO;
}

int override_dup3(int source, int destination, int flags) MAY_SUSPEND {
    if (in_forked_child())
        return ::dup3(source, destination, flags);
    if (destination == STDIN_FILENO)
        return redirect_standard_input(source);
    OutputStream *stream = stream_of(destination);
    if (!stream)
        return ::dup3(real_descriptor(source), destination, flags);
    return redirect(*stream, source);
}

// With equal arguments dup2() only tests the descriptor, and dup3() would be an error.
int override_dup2(int source, int destination) MAY_SUSPEND {
    if (in_forked_child())
        return ::dup2(source, destination);
    return source == destination ? ::dup2(real_descriptor(source), real_descriptor(destination))
                                 : override_dup3(source, destination, 0);
}

int override_dup(int descriptor) MAY_SUSPEND {
    return numbered(::dup(real_descriptor(descriptor)));
}

// Closes descriptor 0 of the rank. Returns -1 with EBADF if it is closed already.
int close_standard_input() {
    LibcState &state = current_libc();
    if (real_input(state) < 0) {
        errno = EBADF;
        return -1;
    }
    redirect_input(state, -1);
    return 0;
}

int override_close(int descriptor) MAY_SUSPEND {
    if (descriptor == STDIN_FILENO && !in_forked_child())
        return close_standard_input();
    OutputStream *stream = stream_of(descriptor);
    if (!stream)
        return ::close(descriptor);
    if (stream->is_closed()) {
        errno = EBADF;
        return -1;
    }
    stream->close();
    return 0;
}

// Also writes the rank's unfinished line, so that what has been written before is in the file.
int override_fsync(int descriptor) MAY_SUSPEND {
    if (OutputStream *stream = stream_of(descriptor))
        stream->flush();
    int real = real_descriptor(descriptor);
    return blocking("fsync", [=] { return ::fsync(real); });
}

const FunctionOverride table[] = {
    OVERRIDE("write", override_write),
    OVERRIDE("__write", override_write),
    OVERRIDE("writev", override_writev),
    OVERRIDE("dprintf", override_dprintf),
    OVERRIDE("vdprintf", override_vdprintf),
    OVERRIDE("__dprintf_chk", override_dprintf_chk),
    OVERRIDE("__vdprintf_chk", override_vdprintf_chk),
    OVERRIDE("dup", override_dup),
    OVERRIDE("dup2", override_dup2),
    OVERRIDE("dup3", override_dup3),
    OVERRIDE("close", override_close),
    OVERRIDE("fsync", override_fsync),
};

} // namespace

LIBC_FUNCTIONS(table);

ssize_t write_for_rank(int descriptor, const void *data, size_t size_bytes) {
    if (OutputStream *stream = stream_of(descriptor)) [[unlikely]]
        return stream->write(static_cast<const char *>(data), size_bytes);
    return blocking_write(real_descriptor(descriptor), data, size_bytes);
}

} // namespace thrum
