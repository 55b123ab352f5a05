// A rank's FILEs: stdout and stderr of its own, and the list of those that it has opened.
//
// stdout and stderr are FILEs of fopencookie() whose write function is the rank's OutputStream.
// They have the descriptor numbers 1 and 2, because programs compare fileno(stdout) and ask
// isatty() of it. Functions that name no FILE (printf, puts) are in print.cc; those that write to
// descriptors 1 and 2 directly (write, dup2) are in descriptors.cc; stdin is in standard_input.cc.
//
// What the program prints passes through two buffers: that of the FILE, and the unfinished line of
// the OutputStream. fflush(), fclose() and exit() therefore flush both.
#include "libc/stdio.h"

#include "base/check.h"
#include "base/settings.h"
#include "libc/blocking.h"
#include "libc/descriptor_limit.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/program_files.h"
#include "libc/signals.h"
#include "libc/standard_input.h"
#include "libc/streams.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

namespace thrum {
namespace {

// Writes to the OutputStream behind a FILE. May move the rank to a spare worker while a pipe is
// full.
ssize_t write_cookie(void *cookie, const char *data, size_t size_bytes) MAY_SUSPEND {
    ssize_t n = static_cast<OutputStream *>(cookie)->write(data, size_bytes);
    return n < 0 ? 0 : n; // 0: fopencookie's way to say error
}

// A process has 4 KiB of buffer or more; with 10,000 ranks that would be 40 MiB, so they get less.
constexpr int ranks_with_large_buffers = 256;
constexpr int ranks_with_small_buffers = 65'536;

size_t buffer_bytes() {
    if (settings().ranks > ranks_with_small_buffers)
        return 128; // what a rank prints is put together to lines behind it
    return settings().ranks <= ranks_with_large_buffers ? 8192 : 1024;
}

// What fopencookie() sets as the descriptor of a FILE; -1 would be one that is not open.
constexpr int no_descriptor = -2;

// Returns a new FILE that writes to `stream`, with the stream's descriptor as its fileno(). Ends
// the process if there is no memory.
FILE *make_file(OutputStream &stream) {
    FILE *file = fopencookie(
        &stream, "w", {.read = nullptr, .write = write_cookie, .seek = nullptr, .close = nullptr});
    CHECK(file, "out of memory for a FILE");
    file->_fileno = stream.descriptor();
    return file;
}

// Returns the rank's stream behind `file`, or nullptr.
OutputStream *stream_of(LibcState &state, const FILE *file) {
    if (file == streams_of(state).out)
        return &streams_of(state).out_stream;
    if (file == streams_of(state).err)
        return &streams_of(state).err_stream;
    return nullptr;
}

// Removes `file` from those of the rank. Returns false if it is not one of them.
bool forget_file(LibcState &state, FILE *file) {
    StateGuard guard(state.lock);
    auto at = std::find(streams_of(state).files.begin(), streams_of(state).files.end(), file);
    if (at == streams_of(state).files.end())
        return false;
    *at = streams_of(state).files.back();
    streams_of(state).files.pop_back();
    return true;
}

// Flushes every FILE of the rank into its descriptor or stream. Returns false if one fails. The
// lock is not held while a FILE is flushed, because that may wait; a FILE that another thread
// closes meanwhile is the program's own race, as in a process.
bool flush_all_files(LibcState &state) {
    bool flushed = true;
    for (size_t i = 0;; ++i) {
        FILE *file;
        {
            StateGuard guard(state.lock);
            if (i >= streams_of(state).files.size())
                break;
            file = streams_of(state).files[i];
        }
        // Only what waits to be written: fflush() of an input FILE would move its file position.
        if (__fpending(file) > 0)
            flushed = ::fflush(file) == 0 && flushed;
    }
    for (FILE *file : {streams_of(state).out, streams_of(state).err})
        flushed = ::fflush(file) == 0 && flushed;
    return flushed;
}

// Also flushes the unfinished line behind stdout and stderr, as OutputStream::flush_as_asked()
// allows.
int override_fflush(FILE *file) MAY_SUSPEND {
    LibcState &state = current_libc();
    if (!file) {
        bool flushed = flush_all_files(state);
        flushed = streams_of(state).out_stream.flush() && flushed;
        return streams_of(state).err_stream.flush_as_asked() && flushed ? 0 : EOF;
    }
    int result = ::fflush(file);
    OutputStream *stream = stream_of(state, file);
    if (stream && !stream->flush_as_asked())
        result = EOF;
    return result;
}

int override_fflush_unlocked(FILE *file) MAY_SUSPEND {
    if (!file)
        return override_fflush(nullptr);
    int result = fflush_unlocked(file);
    OutputStream *stream = stream_of(current_libc(), file);
    if (stream && !stream->flush_as_asked())
        result = EOF;
    return result;
}

// Keeps the FILEs stdout, stderr and stdin: other code of the rank may still use them. Output that
// is written to a closed stream is an error (EBADF).
int override_fclose(FILE *file) MAY_SUSPEND {
    LibcState &state = current_libc();
    if (OutputStream *stream = stream_of(state, file)) {
        int result = override_fflush(file);
        if (stream->is_closed()) {
            errno = EBADF;
            result = EOF;
        }
        stream->close();
        return result;
    }
    if (file == streams_of(state).in) {
        redirect_input(state, -1);
        return 0;
    }
    forget_file(state, file);
    return ::fclose(file);
}

// Closes the rank's FILEs; the C library's function would close those of all ranks.
int override_fcloseall() MAY_SUSPEND {
    LibcState &state = current_libc();
    override_fclose(streams_of(state).out);
    override_fclose(streams_of(state).err);
    for (;;) {
        FILE *file;
        {
            StateGuard guard(state.lock);
            if (streams_of(state).files.empty())
                return 0;
            file = streams_of(state).files.back();
            streams_of(state).files.pop_back();
        }
        ::fclose(file);
    }
}

// Remembers a FILE that has just been opened. If opening has failed, reports a full descriptor
// table.
FILE *remembered(FILE *file) {
    if (file)
        remember_file(file);
    else
        note_failure_to_open();
    return file;
}

// Opening a named pipe waits for its other side, so that happens on a spare worker.
FILE *override_fopen(const char *path, const char *mode) MAY_SUSPEND {
    int file;
    if (mode[0] == 'r' && open_program_file(path, O_RDONLY | O_CLOEXEC, file))
        return remembered(file < 0 ? nullptr : ::fdopen(file, mode));
    if (!in_forked_child() && is_named_pipe(AT_FDCWD, path))
        return remembered(blocking("fopen", [=] { return ::fopen(path, mode); }));
    return remembered(::fopen(path, mode));
}

FILE *override_tmpfile() {
    return remembered(::tmpfile());
}

// Makes a second FILE on the rank's own standard output, error or input use the same stream as the
// first. Other descriptors are the process's.
FILE *override_fdopen(int descriptor, const char *mode) {
    LibcState &state = current_libc();
    bool reads = mode[0] == 'r';
    if (!in_forked_child() && reads && descriptor == STDIN_FILENO)
        return remembered(make_input_file(state));
    if (in_forked_child() || reads || (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO))
        return remembered(::fdopen(descriptor, mode));
    return remembered(make_file(descriptor == STDOUT_FILENO ? streams_of(state).out_stream
                                                            : streams_of(state).err_stream));
}

// Gives a stream that writes to a file a full buffer. A stream without a buffer, as stderr is, has
// one of a byte, which setvbuf() keeps unless it is given another. A line would then be written
// without its last byte.
void buffer_fully(FILE *file) {
    char *buffer =
        __fbufsize(file) == 1 ? static_cast<char *>(std::malloc(buffer_bytes())) : nullptr;
    setvbuf(file, buffer, _IOFBF, buffer_bytes());
}

// freopen("log", "w", stdout) sends this rank's standard output to the file; that of other ranks is
// unchanged. The FILE is the same afterwards, because other code may hold its address.
FILE *override_freopen(const char *path, const char *mode, FILE *file) MAY_SUSPEND {
    LibcState &state = current_libc();
    OutputStream *stream = stream_of(state, file);
    if (file == streams_of(state).in && file != process_stdin())
        return !path || reopen_input(state, path, mode) ? file : nullptr;
    if (!stream)
        return ::freopen(path, mode, file);
    ::fflush(file);
    if (!path)
        return file; // a change of mode only
    // The FILE itself cannot be reopened: its functions write to the OutputStream, so that gets the
    // file.
    int flags =
        (mode[0] == 'a' ? O_APPEND : O_TRUNC) | O_CREAT | O_CLOEXEC |
        (std::char_traits<char>::find(mode, std::char_traits<char>::length(mode), '+') ? O_RDWR
                                                                                       : O_WRONLY);
    int target = ::open(path, flags, 0666);
    if (target < 0)
        return nullptr;
    stream->redirect(target);
    clearerr(file);
    if (!isatty(target))
        buffer_fully(file);
    return file;
}

const FunctionOverride table[] = {
    OVERRIDE("fflush", override_fflush),
    OVERRIDE("_IO_fflush", override_fflush),
    OVERRIDE("fflush_unlocked", override_fflush_unlocked),
    OVERRIDE("fclose", override_fclose),
    OVERRIDE("fcloseall", override_fcloseall),
    OVERRIDE("fopen", override_fopen),
    OVERRIDE("fopen64", override_fopen),
    OVERRIDE("fdopen", override_fdopen),
    OVERRIDE("tmpfile", override_tmpfile),
    OVERRIDE("tmpfile64", override_tmpfile),
    OVERRIDE("freopen", override_freopen),
    OVERRIDE("freopen64", override_freopen),
};

} // namespace

LIBC_FUNCTIONS(table);

void open_output(LibcState &state, int world_rank) {
    streams_of(state).out_stream.open(STDOUT_FILENO, world_rank);
    streams_of(state).err_stream.open(STDERR_FILENO, world_rank);
}

void close_stdio(LibcState &state) {
    Streams &streams = streams_of(state);
    for (FILE *file : streams.files)
        ::fclose(file);
    // ThreadSanitizer would take it for a close of the process's descriptor, which others use.
    for (FILE *file : {streams.out, streams.err})
        if (file)
            file->_fileno = no_descriptor;
    for (FILE *file : {streams.out, streams.err, streams.in})
        if (file && file != process_stdin())
            ::fclose(file);
    redirect_input(state, -1);
}

// stderr is unbuffered and a stdout at a terminal line-buffered, as in a process. A large buffer of
// stdout is left to the C library, which makes it on the first byte; small ones are made here.
void make_stdio(LibcState &state) {
    streams_of(state).out = make_file(streams_of(state).out_stream);
    streams_of(state).err = make_file(streams_of(state).err_stream);
    setvbuf(streams_of(state).err, nullptr, _IONBF, 0);
    // The buffer of stdout is made by the C library on the first byte if large; small ones are
    // ours.
    if (streams_of(state).out_stream.is_terminal())
        setvbuf(streams_of(state).out, nullptr, _IOLBF, 0);
    else if (settings().ranks > ranks_with_large_buffers)
        setvbuf(streams_of(state).out, static_cast<char *>(std::malloc(buffer_bytes())), _IOFBF,
                buffer_bytes());
}

void flush_stdio(LibcState &state) {
    flush_all_files(state);
    flush_unfinished_lines(state);
}

void flush_unfinished_lines(LibcState &state) {
    streams_of(state).out_stream.flush();
    streams_of(state).err_stream.flush();
}

// As the program sees them: it may have assigned another FILE.
FILE *rank_stdout() {
    return *current_libc().bound.out;
}

FILE *rank_stderr() {
    return *current_libc().bound.err;
}

void remember_file(FILE *file) {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    streams_of(state).files.push_back(file);
}

} // namespace thrum
