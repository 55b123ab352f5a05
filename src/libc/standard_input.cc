// Standard input: one rank of the job reads that of the process (mpiexec --stdin; rank 0), and the
// others find it empty, as with other launchers. With --stdin all, every rank reads it
// (input_for_all.h).
//
// Descriptor 0 of the other ranks means /dev/null until they redirect it. Their stdin is a FILE of
// their own, which reads what descriptor 0 of the rank means. Functions that name no FILE (getchar,
// scanf) are here.
#include "libc/standard_input.h"

#include "base/check.h"
#include "base/settings.h"
#include "libc/blocking.h"
#include "libc/forked_child.h"
#include "libc/input_for_all.h"
#include "libc/libc_state.h"
#include "libc/streams.h"

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <cwchar>
#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

extern "C" {
char *__fgets_chk(char *text, size_t room_bytes, int size_bytes, FILE *file);
}

namespace thrum {
namespace {

// A descriptor of /dev/null, shared by all ranks with an empty input. Opened before there are
// ranks, with a number of 10 or more.
int empty_input = -1; // of /dev/null; opened before there are ranks

// The functions of a rank's FILE stdin. Reading may move the rank to a spare worker.
ssize_t read_cookie(void *cookie, char *data, size_t size_bytes) MAY_SUSPEND {
    return blocking_read(real_input(*static_cast<LibcState *>(cookie)), data, size_bytes);
}

int seek_cookie(void *cookie, off64_t *offset, int whence) {
    off64_t at = ::lseek64(real_input(*static_cast<LibcState *>(cookie)), *offset, whence);
    if (at < 0)
        return -1;
    *offset = at;
    return 0;
}

// Returns what the program's `stdin` points to: it may have assigned another FILE.
FILE *rank_stdin() {
    return *current_libc().bound.in;
}

int override_getchar() {
    return std::getc(rank_stdin());
}

int override_getchar_unlocked() {
    return getc_unlocked(rank_stdin());
}

// Old objects still link gets().
char *override_gets(char *text) {
    FILE *in = rank_stdin();
    size_t n = 0;
    int c;
    while ((c = std::getc(in)) != EOF && c != '\n')
        text[n++] = static_cast<char>(c);
    text[n] = 0;
    return c == EOF && n == 0 ? nullptr : text;
}

int override_vscanf(const char *format, va_list arguments) {
    return std::vfscanf(rank_stdin(), format, arguments);
}

int override_scanf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = override_vscanf(format, arguments);
    va_end(arguments);
    return n;
}

wint_t override_getwchar() {
    return std::fgetwc(rank_stdin());
}

int override_vwscanf(const wchar_t *format, va_list arguments) {
    return std::vfwscanf(rank_stdin(), format, arguments);
}

int override_wscanf(const wchar_t *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = override_vwscanf(format, arguments);
    va_end(arguments);
    return n;
}

const FunctionOverride table[] = {
    OVERRIDE("getchar", override_getchar),
    OVERRIDE("getchar_unlocked", override_getchar_unlocked),
    OVERRIDE("gets", override_gets),
    OVERRIDE("scanf", override_scanf),
    OVERRIDE("vscanf", override_vscanf),
    OVERRIDE("__isoc99_scanf", override_scanf),
    OVERRIDE("__isoc99_vscanf", override_vscanf),
    OVERRIDE("__isoc23_scanf", override_scanf),
    OVERRIDE("__isoc23_vscanf", override_vscanf),
    OVERRIDE("getwchar", override_getwchar),
    OVERRIDE("getwchar_unlocked", override_getwchar),
    OVERRIDE("wscanf", override_wscanf),
    OVERRIDE("vwscanf", override_vwscanf),
    OVERRIDE("__isoc99_wscanf", override_wscanf),
    OVERRIDE("__isoc99_vwscanf", override_vwscanf),
};

} // namespace

LIBC_FUNCTIONS(table);

// A child of fork() has the rank's input as its own descriptor 0 (enter_child_descriptors()).
int real_input(LibcState &state) {
    return in_forked_child() ? STDIN_FILENO : streams_of(state).input;
}

// Kept from the first call: the program may have a COPY of `stdin`, which rank 0 may then change.
FILE *process_stdin() {
    static FILE *const real = ::stdin;
    return real;
}

FILE *make_input_file(LibcState &state) {
    FILE *file =
        fopencookie(&state, "r",
                    {.read = read_cookie, .write = nullptr, .seek = seek_cookie, .close = nullptr});
    CHECK(file, "out of memory for a FILE");
    file->_fileno = STDIN_FILENO;
    return file;
}

// The rank that reads the process's input also keeps the process's FILE.
void make_stdin(LibcState &state, int world_rank) {
    if (world_rank == settings().stdin_rank) {
        streams_of(state).in = process_stdin();
        return;
    }
    if (settings().stdin_rank == Settings::stdin_of_all) {
        streams_of(state).input = open_input_for_all(settings().ranks);
        streams_of(state).in = make_input_file(state);
        return;
    }
    if (empty_input < 0) {
        int opened = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        empty_input = opened < 0 ? opened : ::fcntl(opened, F_DUPFD_CLOEXEC, 10);
        if (opened >= 0)
            ::close(opened);
        CHECK(empty_input >= 0, "cannot open /dev/null: %s", std::strerror(errno));
    }
    streams_of(state).input = empty_input;
    streams_of(state).in = make_input_file(state);
}

// Never closes the process's descriptor 0, or the /dev/null that other ranks share.
void redirect_input(LibcState &state, int target) {
    if (streams_of(state).input > STDIN_FILENO && streams_of(state).input != empty_input)
        ::close(streams_of(state).input);
    streams_of(state).input = target;
}

bool reopen_input(LibcState &state, const char *path, const char *mode) {
    int flags = std::strchr(mode, '+') ? O_RDWR : O_RDONLY;
    int target = ::open(path, flags | O_CLOEXEC);
    if (target >= 0 && target <= STDERR_FILENO) { // these numbers mean something else to ranks
        int higher = ::fcntl(target, F_DUPFD_CLOEXEC, 3);
        ::close(target);
        target = higher;
    }
    if (target < 0)
        return false;
    // What the FILE has read from the old input must not appear as the new one's.
    __fpurge(streams_of(state).in);
    clearerr(streams_of(state).in);
    redirect_input(state, target);
    return true;
}

} // namespace thrum
