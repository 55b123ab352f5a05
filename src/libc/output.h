// OutputStream: carries a rank's standard output or standard error out of the process.
//
// A stream goes to one of three places: the process's descriptor 1 or 2, which all ranks share; a
// file of --output-dir; or a descriptor of the rank's own (freopen, dup2). stdio.cc and
// descriptors.cc write to it.
//
// Invariants
// 1. Lines of a rank are written whole: complete lines are written under one lock. An unfinished
//    line is kept until its newline, flush(), or line_bytes_max. Rank 0's at a terminal is not
//    kept.
// 2. The order within a stream is kept. Nothing is lost if flush() is called at the end.
// 3. The lock order is stream, then destination. No lock is held across a suspension: a rank that
//    must wait (for a lock, or for the reader of a full pipe) moves to a spare worker and stays
//    there until it holds no lock.
#pragma once
#include "base/may_suspend.h"

#include <cstddef>
#include <pthread.h>
#include <string>
#include <sys/types.h>

namespace thrum {

class BlockingCall;

// How output is written. Taken from settings() before the first byte; tests set their own.
struct OutputFormat {
    bool prefix = false;             // "[17] " before each line
    const char *directory = nullptr; // DIR/rank.17.out and .err instead of descriptors 1 and 2
    int rank_count = 1;              // largest rank number + 1: aligns prefixes and file names
};

// Sets the format of all streams. Only before there are ranks.
void set_output_format(const OutputFormat &format);
// Aligns output that names ranks for the largest rank, which another process may host.
void set_widest_rank(int world_rank);

// One rank's standard output or standard error. It is part of the rank's C-library state. Any
// thread of the rank may call it, and the thread that ends the process.
class OutputStream {
public:
    static constexpr size_t line_bytes_max = 64
                                             << 10; // a longer unfinished line is written as it is

    // Makes this the stream of `world_rank` for `descriptor`, 1 or 2 (tests: any that is open).
    // Opens no file.
    void open(int descriptor, int world_rank);

    // Takes `size_bytes` bytes and writes the complete lines. Returns -1 and sets errno if one
    // cannot be written, or if the stream is closed. May move the rank to a spare worker.
    ssize_t write(const char *data, size_t size_bytes) MAY_SUSPEND;
    // Writes an unfinished line. Returns false if that fails.
    bool flush() MAY_SUSPEND;

    // Does what the program's fflush() asks for: flush(), except for a standard error that is not a
    // terminal. std::cerr flushes after every <<, which would mix parts of its lines with those of
    // other ranks.
    bool flush_as_asked() MAY_SUSPEND {
        return descriptor_ == 2 && !terminal_ && target_ < 0 ? true : flush();
    }

    // Reserves memory for an unfinished line of ordinary length, so that write() may be called in a
    // signal handler.
    void reserve_line() MAY_SUSPEND;

    // Sends the stream to the process's own descriptor from now on, in a child of fork().
    void become_process_stream();
    // Opens the rank's file, if there is an --output-dir, so that its children inherit it.
    void open_file_if_private() MAY_SUSPEND;

    // Sends this stream to a descriptor of the rank's own (freopen, dup2), after the unfinished
    // line. The stream owns `target` from now on and closes the one before. -1: back to where it
    // went at first.
    void redirect(int target) MAY_SUSPEND;

    int target() const { return target_; }

    bool is_terminal() const { return terminal_; }

    // Closes a file of its own, so that the reader of a pipe sees its end.
    void close() MAY_SUSPEND {
        redirect(-1);
        closed_ = true;
    }

    bool is_closed() const { return closed_; }

    int descriptor() const { return descriptor_; }

private:
    // The functions below are called with `mutex_` held. `call` is the section in which the rank
    // may have moved to a spare worker; it must outlive the lock.
    bool lock(BlockingCall &call) MAY_SUSPEND;

    void unlock() { pthread_mutex_unlock(&mutex_); }

    ssize_t take(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    bool emit(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    bool emit_unfinished(BlockingCall &call) MAY_SUSPEND;
    bool emit_to_file(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    bool emit_to_shared(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    int open_own_file();
    void note_loss(int error);

    // Held across write(2), so it sleeps and does not spin.
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    int descriptor_ = -1;
    int world_rank_ = 0;
    int target_ = -1;        // a descriptor of the stream's own, or -1
    bool terminal_ = false;  // the process's descriptor is a terminal
    bool closed_ = false;    // the rank has closed it: writing is EBADF
    bool made_file_ = false; // DIR/rank.N.out has been made; from now on append
    std::string unfinished_; // the line that has no newline yet
};

// Reports, once in the process, that the rank's standard `which` ("output", "error") cannot be
// written. The ranks go on, because their results may be elsewhere; the exit code of the job shows
// the loss.
void report_lost_output(int world_rank, const char *which, int error);
// Returns whether some output of the process could not be written.
bool output_is_lost();

// Announces that the process is about to end, perhaps after a crash. From now on no thread waits
// long for a lock.
void output_is_ending();
// Called around fork(), so that the child does not inherit a lock that another thread holds.
void lock_output_for_fork();
void unlock_output_after_fork();

} // namespace thrum
