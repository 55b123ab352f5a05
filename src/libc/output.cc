// Assembles, tags and writes lines (libc/output.h).
//
// A byte passes through take(), which decides what is complete; emit(), which chooses the place;
// emit_to_shared() or emit_to_file(); and write_whole(). A write that would block is first tried
// with RWF_NOWAIT. Only if that fails does the rank move to a spare worker, where write(2) may
// sleep.
//
// At the end of the process (output_is_ending) the calling thread may be in a signal handler of a
// thread that crashed with any of these locks, or malloc's, held. Then nothing is allocated, and
// locks are tried for some milliseconds only.
#include "libc/output.h"

#include "base/check.h"
#include "libc/blocking.h"
#include "libc/forked_child.h"
#include "libc/signals.h"
#include "rank/job_end.h"
#include "rank/status_page.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

OutputFormat the_format; // written before there are ranks, then constant

constexpr size_t kept_line_bytes_max = 512; // memory that a stream keeps between lines

// How long the thread that ends the process waits for a stream, of which thousands may be locked,
// and for a destination, of which there are two and which it then writes to without the lock.
constexpr int stream_patience_ms = 10, destination_patience_ms = 50;

// A descriptor that all ranks share, 1 or 2. `mutex` is held across write(2), which may block when
// a pipe is full, so it sleeps and does not spin. Each of the two has its own mutex, even where a
// terminal shows both.
struct Destination {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const OutputStream *unfinished_by = nullptr; // has left a line without newline; under the mutex
};

Destination destinations[2];
std::atomic<bool> broken_pipe{false};  // the reader has gone: drop everything
std::atomic<bool> process_ends{false}; // wait for no lock for long
std::atomic<bool> is_lost{false};      // some output

// How many streams of --output-dir may keep their descriptor. The others open theirs for each
// flush: thousands of ranks would exceed the limit of descriptors.
constexpr int kept_files_max = 256;
std::atomic<int> kept_files{0};

Destination &destination_of(int descriptor) {
    return destinations[descriptor == STDERR_FILENO];
}

// Moves the rank to a spare worker before it waits, unless the process ends (perhaps inside a
// signal handler).
void wait_elsewhere(BlockingCall &call) MAY_SUSPEND {
    if (!waits_in_place() && !process_ends.load(std::memory_order_relaxed))
        call.enter("write");
}

// Locks `mutex`. While the process ends, gives up after `patience_ms` and returns false: the thread
// that crashed may hold it.
bool lock_mutex(BlockingCall &call, pthread_mutex_t &mutex, int patience_ms) MAY_SUSPEND {
    if (pthread_mutex_trylock(&mutex) == 0)
        return true;
    if (!process_ends.load(std::memory_order_relaxed)) {
        wait_elsewhere(call);
        return pthread_mutex_lock(&mutex) == 0;
    }
    for (int waited_ms = 0; waited_ms < patience_ms; ++waited_ms) {
        ::usleep(1000);
        if (pthread_mutex_trylock(&mutex) == 0)
            return true;
    }
    return false;
}

// Ends the job when the reader of its output has closed the pipe, as SIGPIPE would end a process:
// at once and silently. A rank that handles or ignores SIGPIPE gets the signal instead, and sees
// EPIPE.
void pipe_is_closed() {
    constexpr int sigpipe_exit_code = 141;
    if (in_forked_child())
        return;
    // write() has raised SIGPIPE, which a rank may handle or ignore; then it sees EPIPE.
    const auto *self = static_cast<const RankThread *>(current_task_or_null);
    const RankSignals *own = self && self->rank ? own_signals_of(*self->rank) : nullptr;
    const SignalState *signals =
        own ? own->state.load(std::memory_order_acquire) : nullptr; // [signals-1]
    if (signals && signals->actions[SIGPIPE].handler) {
        siginfo_t info = {};
        info.si_signo = SIGPIPE;
        info.si_pid = ::getpid();
        send_to_rank(*self->rank, info);
        return;
    }
    if (!broken_pipe.exchange(true, std::memory_order_relaxed))
        end_job(sigpipe_exit_code);
}

// Writes at least one byte, or returns -1 with errno. Moves the rank to a spare worker if the write
// would block, or if the descriptor does not support RWF_NOWAIT.
ssize_t write_some(BlockingCall &call, int descriptor, const char *data,
                   size_t size_bytes) MAY_SUSPEND {
    if (!call.entered() && !never_blocks(descriptor)) {
        iovec piece = {const_cast<char *>(data), size_bytes};
        ssize_t n = ::pwritev2(descriptor, &piece, 1, -1, RWF_NOWAIT);
        if (n >= 0 || (errno != EAGAIN && errno != EOPNOTSUPP && errno != ENOSYS))
            return n;
        wait_elsewhere(call);
    }
    return ::write(descriptor, data, size_bytes);
}

// Writes all bytes, even if the kernel accepts only a part at a time, or the descriptor is
// non-blocking. Returns false with errno set if that fails.
bool write_whole(BlockingCall &call, int descriptor, const char *data,
                 size_t size_bytes) MAY_SUSPEND {
    while (size_bytes > 0) {
        ssize_t n = write_some(call, descriptor, data, size_bytes);
        if (n >= 0) {
            data += n;
            size_bytes -= static_cast<size_t>(n);
        } else if (errno == EAGAIN) {
            pollfd ready = {descriptor, POLLOUT, 0};
            ::poll(&ready, 1, 1000);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

// Returns whether the caller is to report the first loss of output in this process. If the job has
// several processes, mpiexec reports it once, from the status page: standard error may be a file
// without room, too.
bool must_report_loss(int error) {
    if (is_lost.exchange(true, std::memory_order_relaxed))
        return false;
    StatusPage *page = status_page();
    if (page)
        page->output_error.store(error ? error : EIO, std::memory_order_relaxed);
    return !page;
}

int digits(int number) {
    int n = 1;
    for (; number >= 10; number /= 10)
        ++n;
    return n;
}

// Collects a text in pieces of up to PIPE_BUF bytes and writes it. Allocates nothing: the process
// may be ending inside malloc.
class PiecewiseText {
public:
    PiecewiseText(BlockingCall &call, int descriptor) : call_(call), descriptor_(descriptor) {}

    // False: something could not be written; errno says why.
    bool add(const char *data, size_t size_bytes) MAY_SUSPEND {
        while (size_bytes > 0) {
            if (length_ == sizeof text_ && !write())
                return false;
            const size_t n = std::min(size_bytes, sizeof text_ - length_);
            std::memcpy(text_ + length_, data, n);
            length_ += n;
            data += n;
            size_bytes -= n;
        }
        return true;
    }

    bool write() MAY_SUSPEND {
        return write_whole(call_, descriptor_, text_, std::exchange(length_, 0));
    }

private:
    BlockingCall &call_;
    int descriptor_;
    size_t length_ = 0;
    char text_[PIPE_BUF]; // what a pipe takes as a whole
};

// Writes `data` with "[17] " before each line, the first only if `at_line_start`.
bool write_with_prefix(BlockingCall &call, int descriptor, const char *data, size_t size_bytes,
                       int world_rank, bool at_line_start) MAY_SUSPEND {
    char prefix[32];
    const int prefix_bytes = std::snprintf(prefix, sizeof prefix, "[%*d] ",
                                           digits(the_format.rank_count - 1), world_rank);
    PiecewiseText text(call, descriptor);
    for (bool starts = at_line_start; size_bytes > 0; starts = true) {
        if (starts && !text.add(prefix, static_cast<size_t>(prefix_bytes)))
            return false;
        const void *newline = std::memchr(data, '\n', size_bytes);
        const size_t line_bytes =
            newline ? static_cast<size_t>(static_cast<const char *>(newline) - data) + 1
                    : size_bytes;
        if (!text.add(data, line_bytes))
            return false;
        data += line_bytes;
        size_bytes -= line_bytes;
    }
    return text.write();
}

} // namespace

void set_widest_rank(int world_rank) {
    the_format.rank_count = world_rank + 1;
}

void set_output_format(const OutputFormat &format) {
    the_format = format;
    for (Destination &destination : destinations)
        destination.unfinished_by = nullptr;
}

void OutputStream::open(int descriptor, int world_rank) {
    descriptor_ = descriptor;
    world_rank_ = world_rank;
    terminal_ = !the_format.directory && ::isatty(descriptor);
}

ssize_t OutputStream::write(const char *data, size_t size_bytes) {
    SignalHold hold;
    BlockingCall call; // before the lock: goes back to the worker after it
    if (!lock(call))
        return static_cast<ssize_t>(size_bytes);
    ssize_t written = closed_ ? -1 : take(call, data, size_bytes);
    if (closed_)
        errno = EBADF;
    unlock();
    return written;
}

// Returns false if the process ends and the stream stays locked: the thread that ends or crashes
// the process is in the middle of a write. Then nothing can be written to it.
bool OutputStream::lock(BlockingCall &call) {
    return lock_mutex(call, mutex_, stream_patience_ms);
}

// Writes the complete lines and keeps the rest. Returns `size_bytes`, or -1 with errno. Allocates
// nothing while the process ends: its last thread may have been interrupted in malloc.
ssize_t OutputStream::take(BlockingCall &call, const char *data, size_t size_bytes) {
    const bool ends = process_ends.load(std::memory_order_relaxed);
    const void *last = memrchr(data, '\n', size_bytes);
    size_t whole_bytes = last ? static_cast<size_t>(static_cast<const char *>(last) - data) + 1 : 0;
    // Rank 0 talks to the user at a terminal: "Name? " must be seen before the answer is read.
    bool is_dialogue = terminal_ && world_rank_ == 0 && descriptor_ != STDERR_FILENO;
    bool lines_matter = target_ < 0 && !is_dialogue && !in_forked_child() && !ends;
    if (!lines_matter || unfinished_.size() + size_bytes - whole_bytes > line_bytes_max)
        whole_bytes = size_bytes;
    bool written = true;
    if (whole_bytes > 0) {
        if (unfinished_.empty() || ends) {
            written = unfinished_.empty() || emit_unfinished(call);
            written = emit(call, data, whole_bytes) && written;
        } else {
            unfinished_.append(data, whole_bytes);
            written = emit_unfinished(call);
        }
    }
    unfinished_.append(data + whole_bytes, size_bytes - whole_bytes);
    return written ? static_cast<ssize_t>(size_bytes) : -1;
}

bool OutputStream::flush() {
    SignalHold hold;
    BlockingCall call;
    if (!lock(call))
        return false;
    bool written = unfinished_.empty() || emit_unfinished(call);
    unlock();
    return written;
}

// Writes what is kept, whether or not it ends a line, and keeps nothing. False: it is lost.
bool OutputStream::emit_unfinished(BlockingCall &call) {
    bool written = emit(call, unfinished_.data(), unfinished_.size());
    // Thousands of streams must not keep the memory of their longest line.
    if (unfinished_.capacity() > kept_line_bytes_max &&
        !process_ends.load(std::memory_order_relaxed))
        std::string().swap(unfinished_);
    unfinished_.clear();
    return written;
}

void OutputStream::reserve_line() {
    SignalHold hold;
    BlockingCall call;
    if (!lock(call))
        return;
    unfinished_.reserve(kept_line_bytes_max);
    unlock();
}

// In the child nothing else runs, so no lock is taken. The parent writes the unfinished line.
void OutputStream::become_process_stream() {
    unfinished_.clear();
    target_ = -1;
    closed_ = false;
}

// A child process gets the file as its descriptor, so the stream must keep one open for it.
void OutputStream::open_file_if_private() {
    SignalHold hold;
    BlockingCall call;
    if (!the_format.directory || !lock(call))
        return;
    if (target_ < 0 && !closed_ && kept_files.load(std::memory_order_relaxed) < kept_files_max) {
        target_ = open_own_file();
        kept_files.fetch_add(1, std::memory_order_relaxed);
    }
    unlock();
}

void OutputStream::redirect(int target) {
    SignalHold hold;
    BlockingCall call;
    if (!lock(call))
        return;
    if (!unfinished_.empty())
        emit_unfinished(call);
    if (target_ >= 0)
        ::close(target_);
    target_ = target;
    closed_ = false;
    unlock();
}

// Writes to wherever the stream goes. False: it is lost, which is noted unless the pipe is closed.
bool OutputStream::emit(BlockingCall &call, const char *data, size_t size_bytes) {
    if (broken_pipe.load(std::memory_order_relaxed))
        return true;
    if (in_forked_child())
        return write_whole(call, target_ >= 0 ? target_ : descriptor_, data, size_bytes);
    bool written = target_ >= 0           ? write_whole(call, target_, data, size_bytes)
                   : the_format.directory ? emit_to_file(call, data, size_bytes)
                                          : emit_to_shared(call, data, size_bytes);
    if (!written && errno != EPIPE)
        note_loss(errno);
    return written;
}

// Reports the loss, and leaves `error` in errno for the program.
void OutputStream::note_loss(int error) {
    report_lost_output(world_rank_, descriptor_ == STDERR_FILENO ? "error" : "output", error);
    errno = error;
}

// Writes to the process's descriptor 1 or 2, under its mutex. If another rank has left a line
// unfinished there, it gets its newline first (invariant 1).
bool OutputStream::emit_to_shared(BlockingCall &call, const char *data, size_t size_bytes) {
    Destination &destination = destination_of(descriptor_);
    const bool locked = lock_mutex(call, destination.mutex, destination_patience_ms);
    const OutputStream *before = destination.unfinished_by;
    bool written = true;
    if (before && before != this)
        written = write_whole(call, descriptor_, "\n", 1);
    if (written)
        written = the_format.prefix ? write_with_prefix(call, descriptor_, data, size_bytes,
                                                        world_rank_, before != this)
                                    : write_whole(call, descriptor_, data, size_bytes);
    destination.unfinished_by = data[size_bytes - 1] == '\n' ? nullptr : this;
    int error = errno;
    if (locked)
        pthread_mutex_unlock(&destination.mutex);
    if (!written && error == EPIPE)
        pipe_is_closed();
    errno = error;
    return written;
}

// Writes to the rank's file in --output-dir, and keeps it open if few enough streams do.
bool OutputStream::emit_to_file(BlockingCall &call, const char *data, size_t size_bytes) {
    int file = open_own_file();
    if (file < 0)
        return false;
    bool written = write_whole(call, file, data, size_bytes);
    // A few streams keep their file; with 10,000 ranks all of them would exhaust RLIMIT_NOFILE.
    if (kept_files.fetch_add(1, std::memory_order_relaxed) < kept_files_max) {
        target_ = file;
    } else {
        kept_files.fetch_sub(1, std::memory_order_relaxed);
        ::close(file);
    }
    return written;
}

// Opens the rank's file, and makes the directory if it is missing. Truncates it the first time,
// appends later. Returns -1 with errno set, and reports that once.
int OutputStream::open_own_file() {
    char path[PATH_MAX];
    int n = std::snprintf(path, sizeof path, "%s/rank.%0*d.%s", the_format.directory,
                          digits(the_format.rank_count - 1), world_rank_,
                          descriptor_ == STDERR_FILENO ? "err" : "out");
    if (n >= static_cast<int>(sizeof path))
        die(2, "output directory %s: the name is too long", the_format.directory);
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (made_file_ ? O_APPEND : O_TRUNC | O_APPEND);
    int file = ::open(path, flags, 0666);
    if (file < 0 && errno == ENOENT && ::mkdir(the_format.directory, 0777) == 0)
        file = ::open(path, flags, 0666);
    if (file < 0) {
        int error = errno;
        if (must_report_loss(error))
            report("cannot open %s: %s; output of rank %d is lost", path, std::strerror(error),
                   world_rank_);
        errno = error;
    }
    made_file_ = true;
    return file;
}

// `error` 0: the C library has not kept the reason.
void report_lost_output(int world_rank, const char *which, int error) {
    if (must_report_loss(error))
        report("rank %d: cannot write to standard %s: %s; some of its output is lost", world_rank,
               which, error ? std::strerror(error) : "an earlier write failed");
}

bool output_is_lost() {
    return is_lost.load(std::memory_order_relaxed);
}

void output_is_ending() {
    process_ends.store(true, std::memory_order_relaxed);
}

// Both mutexes, always in this order. The child's only thread unlocks its copies.
void lock_output_for_fork() {
    for (Destination &destination : destinations)
        pthread_mutex_lock(&destination.mutex);
}

void unlock_output_after_fork() {
    for (Destination &destination : destinations)
        pthread_mutex_unlock(&destination.mutex);
}

} // namespace thrum
