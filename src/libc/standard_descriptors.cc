// Descriptors 0, 1 and 2 of a rank in calls that take any descriptor, and in calls that open one.
//
// The ranks share the process's table. A rank that has redirected one of them means another
// descriptor of that table, so functions that take a descriptor translate it (real_descriptor). A
// rank that has closed one of them gets that number from the next call that opens something
// (numbered). Writing, dup2 and close are in descriptors.cc, reading is in blocking_descriptors.cc.
#include "libc/standard_descriptors.h"

#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/standard_input.h"
#include "libc/streams.h"

#include <cerrno>
#include <cstdarg>
#include <dirent.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

namespace thrum {
namespace {

// Calls the C library's function with what the rank's descriptor is in the process's table.
template <auto function, class Result, class... Arguments>
Result on_real_descriptor(int descriptor, Arguments... arguments) {
    return function(real_descriptor(descriptor), arguments...);
}

// Returns the override of `function`: its argument types are deduced from the function itself.
template <auto function, class Result, class... Arguments>
constexpr auto for_real_descriptor(Result (*)(int, Arguments...)) {
    return &on_real_descriptor<function, Result, Arguments...>;
}

// Calls a function of the C library whose result is a new descriptor.
template <auto function, class... Arguments>
int with_number(Arguments... arguments) MAY_SUSPEND {
    return numbered(function(arguments...));
}

// Returns the override of `function`, whose result is a new descriptor.
template <auto function, class... Arguments>
constexpr auto for_number(int (*)(Arguments...)) {
    return &with_number<function, Arguments...>;
}

int override_fxstat(int, int descriptor, struct stat *status) { // programs linked before glibc 2.33
    return ::fstat(real_descriptor(descriptor), status);
}

int override_ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return ::ioctl(real_descriptor(descriptor), request, argument);
}

// An anonymous mapping has no descriptor; what the program passes for it is kept.
void *override_mmap(void *address, size_t size_bytes, int protection, int flags, int descriptor,
                    off_t offset) {
    int real = flags & MAP_ANONYMOUS ? descriptor : real_descriptor(descriptor);
    return ::mmap(address, size_bytes, protection, flags, real, offset);
}

int override_epoll_ctl(int epoll, int operation, int descriptor, epoll_event *event) {
    return ::epoll_ctl(real_descriptor(epoll), operation, real_descriptor(descriptor), event);
}

ssize_t override_copy_file_range(int in, off64_t *in_offset, int out, off64_t *out_offset,
                                 size_t size_bytes, unsigned flags) {
    return ::copy_file_range(real_descriptor(in), in_offset, real_descriptor(out), out_offset,
                             size_bytes, flags);
}

#define ON_DESCRIPTOR(name) {#name, reinterpret_cast<void *>(for_real_descriptor<&::name>(&::name))}
#define NEW_DESCRIPTOR(name) {#name, reinterpret_cast<void *>(for_number<&::name>(&::name))}

const FunctionOverride file_table[] = {
    OVERRIDE("__fxstat", override_fxstat),
    OVERRIDE("__fxstat64", override_fxstat),
    OVERRIDE("mmap", override_mmap),
    OVERRIDE("mmap64", override_mmap),
    OVERRIDE("copy_file_range", override_copy_file_range),
    ON_DESCRIPTOR(fstat),
    ON_DESCRIPTOR(fstat64),
    ON_DESCRIPTOR(fstatfs),
    ON_DESCRIPTOR(fstatfs64),
    ON_DESCRIPTOR(fstatvfs),
    ON_DESCRIPTOR(fstatvfs64),
    ON_DESCRIPTOR(fchmod),
    ON_DESCRIPTOR(fchown),
    ON_DESCRIPTOR(futimens),
    ON_DESCRIPTOR(futimes),
    ON_DESCRIPTOR(lseek),
    ON_DESCRIPTOR(lseek64),
    ON_DESCRIPTOR(ftruncate),
    ON_DESCRIPTOR(ftruncate64),
    ON_DESCRIPTOR(fallocate),
    ON_DESCRIPTOR(fallocate64),
    ON_DESCRIPTOR(posix_fallocate),
    ON_DESCRIPTOR(posix_fallocate64),
    ON_DESCRIPTOR(posix_fadvise),
    ON_DESCRIPTOR(posix_fadvise64),
    ON_DESCRIPTOR(syncfs),
    ON_DESCRIPTOR(pread),
    ON_DESCRIPTOR(pread64),
    ON_DESCRIPTOR(preadv),
    ON_DESCRIPTOR(preadv64),
    ON_DESCRIPTOR(preadv2),
    ON_DESCRIPTOR(preadv64v2),
    ON_DESCRIPTOR(pwrite),
    ON_DESCRIPTOR(pwrite64),
    ON_DESCRIPTOR(pwritev),
    ON_DESCRIPTOR(pwritev64),
    ON_DESCRIPTOR(pwritev2),
    ON_DESCRIPTOR(pwritev64v2),
    ON_DESCRIPTOR(fgetxattr),
    ON_DESCRIPTOR(fsetxattr),
    ON_DESCRIPTOR(flistxattr),
    ON_DESCRIPTOR(fremovexattr),
    ON_DESCRIPTOR(fdopendir),
};

const FunctionOverride device_table[] = {
    OVERRIDE("ioctl", override_ioctl),
    OVERRIDE("epoll_ctl", override_epoll_ctl),
    ON_DESCRIPTOR(isatty),
    ON_DESCRIPTOR(tcgetattr),
    ON_DESCRIPTOR(tcsetattr),
    ON_DESCRIPTOR(tcflush),
    ON_DESCRIPTOR(tcflow),
    ON_DESCRIPTOR(tcsendbreak),
    ON_DESCRIPTOR(tcgetpgrp),
    ON_DESCRIPTOR(tcsetpgrp),
    ON_DESCRIPTOR(tcgetsid),
    ON_DESCRIPTOR(bind),
    ON_DESCRIPTOR(listen),
    ON_DESCRIPTOR(shutdown),
    ON_DESCRIPTOR(getsockname),
    ON_DESCRIPTOR(getpeername),
    ON_DESCRIPTOR(getsockopt),
    ON_DESCRIPTOR(setsockopt),
    ON_DESCRIPTOR(sockatmark),
    ON_DESCRIPTOR(timerfd_settime),
    ON_DESCRIPTOR(timerfd_gettime),
    ON_DESCRIPTOR(eventfd_read),
    ON_DESCRIPTOR(eventfd_write),
    ON_DESCRIPTOR(inotify_add_watch),
    ON_DESCRIPTOR(inotify_rm_watch),
};

const FunctionOverride opening_table[] = {
    NEW_DESCRIPTOR(timerfd_create), NEW_DESCRIPTOR(eventfd),      NEW_DESCRIPTOR(inotify_init),
    NEW_DESCRIPTOR(inotify_init1),  NEW_DESCRIPTOR(epoll_create), NEW_DESCRIPTOR(epoll_create1),
    NEW_DESCRIPTOR(memfd_create),   NEW_DESCRIPTOR(shm_open),     NEW_DESCRIPTOR(posix_openpt),
    NEW_DESCRIPTOR(mkstemp),        NEW_DESCRIPTOR(mkstemp64),    NEW_DESCRIPTOR(mkostemp),
    NEW_DESCRIPTOR(mkostemp64),     NEW_DESCRIPTOR(mkstemps),     NEW_DESCRIPTOR(mkstemps64),
    NEW_DESCRIPTOR(mkostemps),      NEW_DESCRIPTOR(mkostemps64),
};

// Returns whether the calling rank has closed this standard descriptor (0, 1 or 2).
bool is_closed(LibcState &state, int descriptor) {
    if (descriptor == STDIN_FILENO)
        return streams_of(state).input < 0;
    return (descriptor == STDOUT_FILENO ? streams_of(state).out_stream
                                        : streams_of(state).err_stream)
        .is_closed();
}

} // namespace

LIBC_FUNCTIONS(file_table);
LIBC_FUNCTIONS(device_table);
LIBC_FUNCTIONS(opening_table);

int real_descriptor(int descriptor) {
    if (descriptor < STDIN_FILENO || descriptor > STDERR_FILENO || in_forked_child()) [[likely]]
        return descriptor;
    LibcState &state = current_libc();
    if (descriptor == STDIN_FILENO)
        return real_input(state);
    const OutputStream &stream =
        descriptor == STDOUT_FILENO ? streams_of(state).out_stream : streams_of(state).err_stream;
    if (stream.is_closed())
        return -1;
    return stream.target() >= 0 ? stream.target() : descriptor;
}

// The lowest closed number counts. It becomes the rank's by redirecting its stream or input.
int numbered(int opened, int least) {
    if (opened < 0 || in_forked_child())
        return opened;
    LibcState &state = current_libc();
    for (int number = least; number <= STDERR_FILENO; ++number) {
        if (!is_closed(state, number))
            continue;
        // `opened` may be 0, 1 or 2 itself, if that is free in the process. Such a number means
        // something else to other ranks, so what was opened moves above 2, unless it is the number
        // that the program gets. Children must not inherit it.
        int target = opened <= STDERR_FILENO && opened != number
                         ? ::fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                         : opened;
        if (target < 0)
            return opened;
        if (target != opened)
            ::close(opened);
        else
            ::fcntl(opened, F_SETFD, FD_CLOEXEC);
        if (number == STDIN_FILENO)
            redirect_input(state, target);
        else
            (number == STDOUT_FILENO ? streams_of(state).out_stream : streams_of(state).err_stream)
                .redirect(target);
        return number;
    }
    return opened;
}

// Nothing else runs in the child yet, so no lock is needed.
void enter_child_descriptors(LibcState &state, const int (&real)[3]) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i) {
        if (real[i] < 0)
            ::close(i);
        else if (real[i] != i)
            ::dup2(real[i], i);
    }
    streams_of(state).out_stream.become_process_stream();
    streams_of(state).err_stream.become_process_stream();
    streams_of(state).input = STDIN_FILENO;
}

void standard_descriptors_of_children(LibcState &state, int (&real)[3]) {
    streams_of(state).out_stream.open_file_if_private();
    streams_of(state).err_stream.open_file_if_private();
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i)
        real[i] = real_descriptor(i);
}

} // namespace thrum
