// Descriptors 0, 1 and 2 of a rank in calls that take any descriptor: the ranks share the process's
// table, so a rank that has redirected one of them means another descriptor of that table.
// (Writing, dup2 and close: descriptors.cc. Reading: blocking_descriptors.cc.)
#include "rank/libc_family.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace thrum {
namespace {

int override_isatty(int descriptor) {
    return ::isatty(real_descriptor(descriptor));
}

int override_fstat(int descriptor, struct stat *status) {
    return ::fstat(real_descriptor(descriptor), status);
}

int override_fxstat(int, int descriptor, struct stat *status) { // programs linked before glibc 2.33
    return ::fstat(real_descriptor(descriptor), status);
}

off_t override_lseek(int descriptor, off_t offset, int whence) {
    return ::lseek(real_descriptor(descriptor), offset, whence);
}

int override_ftruncate(int descriptor, off_t length) {
    return ::ftruncate(real_descriptor(descriptor), length);
}

int override_fchmod(int descriptor, mode_t mode) {
    return ::fchmod(real_descriptor(descriptor), mode);
}

ssize_t override_pread(int descriptor, void *data, size_t size_bytes, off_t offset) {
    return ::pread(real_descriptor(descriptor), data, size_bytes, offset);
}

int override_tcgetattr(int descriptor, termios *settings) {
    return ::tcgetattr(real_descriptor(descriptor), settings);
}

int override_tcsetattr(int descriptor, int when, const termios *settings) {
    return ::tcsetattr(real_descriptor(descriptor), when, settings);
}

int override_ioctl(int descriptor, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return ::ioctl(real_descriptor(descriptor), request, argument);
}

const FunctionOverride table[] = {
    OVERRIDE("isatty", override_isatty),         OVERRIDE("fstat", override_fstat),
    OVERRIDE("fstat64", override_fstat),         OVERRIDE("__fxstat", override_fxstat),
    OVERRIDE("__fxstat64", override_fxstat),     OVERRIDE("lseek", override_lseek),
    OVERRIDE("lseek64", override_lseek),         OVERRIDE("ftruncate", override_ftruncate),
    OVERRIDE("ftruncate64", override_ftruncate), OVERRIDE("fchmod", override_fchmod),
    OVERRIDE("pread", override_pread),           OVERRIDE("pread64", override_pread),
    OVERRIDE("tcgetattr", override_tcgetattr),   OVERRIDE("tcsetattr", override_tcsetattr),
    OVERRIDE("ioctl", override_ioctl),
};

} // namespace

const FunctionFamily standard_descriptor_family = FAMILY(table);

int real_descriptor(int descriptor) {
    if (descriptor < STDIN_FILENO || descriptor > STDERR_FILENO || in_forked_child()) [[likely]]
        return descriptor;
    const LibcState &state = current_libc();
    if (descriptor == STDIN_FILENO)
        return real_input(state);
    const OutputStream &stream = descriptor == STDOUT_FILENO ? state.out_stream : state.err_stream;
    if (stream.is_closed())
        return -1;
    return stream.target() >= 0 ? stream.target() : descriptor;
}

// In a child of fork(), while nothing else runs in it: descriptors 0, 1 and 2 are made what they
// were for the rank.
void enter_child_descriptors(LibcState &state, const int (&real)[3]) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i) {
        if (real[i] < 0)
            ::close(i);
        else if (real[i] != i)
            ::dup2(real[i], i);
    }
    state.out_stream.become_process_stream();
    state.err_stream.become_process_stream();
    state.input = STDIN_FILENO;
}

void standard_descriptors_of_children(LibcState &state, int (&real)[3]) {
    state.out_stream.open_file_if_private();
    state.err_stream.open_file_if_private();
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i)
        real[i] = real_descriptor(i);
}

} // namespace thrum
