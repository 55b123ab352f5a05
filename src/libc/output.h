// OutputStream: the way of a rank's standard output or standard error out of the process.
//
// Invariants
// 1. A rank's lines come out whole: complete lines are written under one lock, an unfinished line
//    is kept until its newline, flush(), or line_bytes_max (but not rank 0's at a terminal).
// 2. Order within a stream is kept. Nothing is lost while somebody calls flush() at the end.
// 3. The lock order is stream, then destination. Neither is held across a suspension: a rank that
//    must wait, for a lock or for a reader of a full pipe, goes to a spare worker until it holds
//    none.
#pragma once
#include "base/may_suspend.h"
#include "base/spinlock.h"

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace thrum {

class BlockingCall;

// How output leaves; from settings(), set once before the first byte (tests set their own).
struct OutputFormat {
    bool prefix = false;             // "[17] " before each line
    const char *directory = nullptr; // DIR/rank.17.out and .err instead of descriptors 1 and 2
    int rank_count = 1;              // widest rank number: aligns prefixes and file names
};

void set_output_format(const OutputFormat &format);
// Aligns output that names ranks for the largest rank, which another process may host.
void set_widest_rank(int world_rank);

class OutputStream {
public:
    static constexpr size_t line_bytes_max = 64 << 10; // a longer unfinished line is let go

    // `descriptor` is 1 or 2 (tests: any that is open).
    void open(int descriptor, int world_rank);

    // Takes `size_bytes` bytes; the complete lines among them leave now. -1 and errno on failure.
    ssize_t write(const char *data, size_t size_bytes) MAY_SUSPEND;
    // Lets an unfinished line go. False if it could not be written.
    bool flush() MAY_SUSPEND;

    // What the program's own fflush() asks for: flush(), but for a standard error that is no
    // terminal. std::cerr flushes after every <<; its lines would be torn to pieces among those of
    // other ranks.
    bool flush_as_asked() MAY_SUSPEND {
        return descriptor_ == 2 && !terminal_ && target_ < 0 ? true : flush();
    }

    // From now on an unfinished line of ordinary length is kept without allocation: write() may be
    // called in a signal handler.
    void reserve_line() MAY_SUSPEND;

    // In a child of fork(): the stream goes to the process's own descriptor from now on.
    void become_process_stream();
    // With --output-dir: opens the rank's file, so that its children can have it.
    void open_file_if_private() MAY_SUSPEND;

    // The rank sends this stream to a file of its own (freopen, dup2): descriptor `target` belongs
    // to the stream from now on. -1: back to where it went at first.
    void redirect(int target) MAY_SUSPEND;

    int target() const { return target_; }

    bool is_terminal() const { return terminal_; }

    // Lets go of a file of its own: a reader of that pipe sees its end.
    void close() MAY_SUSPEND {
        redirect(-1);
        closed_ = true;
    }

    bool is_closed() const { return closed_; }

    int descriptor() const { return descriptor_; }

private:
    bool lock(BlockingCall &call) MAY_SUSPEND;
    ssize_t take(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    bool emit(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    bool emit_unfinished(BlockingCall &call) MAY_SUSPEND;
    bool emit_to_file(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    bool emit_to_shared(BlockingCall &call, const char *data, size_t size_bytes) MAY_SUSPEND;
    int open_own_file();
    void note_loss(int error);

    SpinLock lock_;
    int descriptor_ = -1;
    int world_rank_ = 0;
    int target_ = -1; // a descriptor of the stream's own, or -1
    bool terminal_ = false;
    bool closed_ = false;
    bool made_file_ = false; // DIR/rank.N.out has been made; from now on append
    std::string unfinished_; // the line that has no newline yet
};

// Says, once in the process, that the rank's standard `which` ("output", "error") cannot be
// written. The ranks go on: their results may be elsewhere. The job's exit code shows it.
void report_lost_output(int world_rank, const char *which, int error);
bool output_is_lost();

// The process is about to end, perhaps after a crash: from now on no lock is waited for long.
void output_is_ending();
// Around fork(), so that the child does not inherit a lock that another thread holds.
void lock_output_for_fork();
void unlock_output_after_fork();

} // namespace thrum
