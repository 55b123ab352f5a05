// Writes what ranks still hold at the end of the process (libc/final_flush.h).
//
// At an ordinary end each rank's exit() has flushed its FILEs, so stdout and stderr suffice. At a
// sudden end the ranks are stopped anywhere. The thread that ends the process then takes the place
// of one rank after the other and flushes the buffers of its language (program_buffers.h), its
// stdout and stderr, and its other FILEs. That is code of the program's libraries, whose locks a
// stopped thread may hold, so each part runs guarded and locks are tried for a short time.
#include "libc/final_flush.h"

#include "libc/libc_state.h"
#include "libc/output.h"
#include "libc/program_buffers.h"
#include "libc/signals.h"
#include "libc/stdio.h"
#include "libc/streams.h"
#include "rank/guarded_run.h"

#include <mutex>
#include <unistd.h>

namespace thrum {
namespace {

// Makes the calling thread count as the main one of a rank that does not go on, while it lives.
// Overrides and images then see that rank's state.
class InPlaceOf {
public:
    explicit InPlaceOf(Rank &rank)
        : rank_(rank), task_(current_task_or_null), image_(current_image()) {
        // No handler of the rank runs, and nothing parks.
        signals_of(rank_).held.fetch_add(1, std::memory_order_relaxed);
        was_visited_ = signals_of(rank_).visited.exchange(true, std::memory_order_relaxed);
        current_task_or_null = &rank_;
        set_current_image(rank_.image);
    }

    ~InPlaceOf() {
        set_current_image(image_);
        current_task_or_null = task_;
        signals_of(rank_).visited.store(was_visited_, std::memory_order_relaxed);
        signals_of(rank_).held.fetch_sub(1, std::memory_order_relaxed);
    }

    InPlaceOf(const InPlaceOf &) = delete;
    InPlaceOf &operator=(const InPlaceOf &) = delete;

private:
    Rank &rank_;
    Task *task_;
    const Image *image_;
    bool was_visited_;
};

int patience_ms = 20; // for the locks of all FILEs together; counts down

// Flushes the FILEs that the rank has opened. The code that has crashed may hold the state's lock:
// after 10 ms the list is read without it.
void flush_files_of(LibcState &state) {
    bool locked = state.lock.try_lock();
    for (int attempt = 1; attempt < 20 && !locked; ++attempt) {
        ::usleep(500);
        locked = state.lock.try_lock();
    }
    for (FILE *file : streams_of(state).files)
        flush_file(file, patience_ms);
    if (locked)
        state.lock.unlock();
}

// The three parts for GuardedRun, each with a Rank as its argument: the language's streams, stdout
// and stderr, the other FILEs.
void flush_streams_of(void *argument) {
    Rank &rank = *static_cast<Rank *>(argument);
    flush_program_streams(rank.image, rank.executable);
}

void flush_libc_of(void *argument) MAY_SUSPEND {
    LibcState &state = libc_of(*static_cast<Rank *>(argument));
    Streams &streams = streams_of(state);
    for (FILE *file : {streams.out, streams.err})
        if (file)
            flush_file(file, patience_ms);
    streams.out_stream.flush();
    streams.err_stream.flush();
}

void flush_other_files_of(void *argument) {
    flush_files_of(libc_of(*static_cast<Rank *>(argument)));
}

// Writes what the rank has printed. If it has ended, its exit() has flushed all FILEs.
void flush_rank(GuardedRun &flush, Rank &rank) {
    if (rank.ended.load(std::memory_order_relaxed)) {
        flush.attempt(flush_libc_of, &rank);
        return;
    }
    InPlaceOf rank_itself(rank);
    flush.attempt(flush_streams_of, &rank);
    flush.attempt(flush_libc_of, &rank);
    flush.attempt(flush_other_files_of, &rank);
}

} // namespace

bool flush_at_ordinary_end() {
    output_is_ending();
    // The last rank of a run may still be giving back what the ranks had.
    std::lock_guard table(rank_table_mutex());
    for (int i = 0; i < rank_count(); ++i)
        if (rank_at(i).libc)
            flush_libc_of(&rank_at(i));
    return !output_is_lost();
}

void flush_all_output() {
    output_is_ending();
    GuardedRun flush;
    if (!ranks_have_begun()) {
        if (has_first_libc())
            flush_stdio(first_libc());
        flush.attempt([](void *) { flush_process_streams(); }, nullptr);
        flush.attempt([](void *) { flush_late_streams(); }, nullptr);
        flush.attempt([](void *) { flush_process_files(); }, nullptr);
        return;
    }
    std::unique_lock table(rank_table_mutex(), std::try_to_lock); // or we are in a signal handler
    for (int i = 0; i < rank_count(); ++i)
        if (rank_at(i).libc)
            flush_rank(flush, rank_at(i));
}

} // namespace thrum
