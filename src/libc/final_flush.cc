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

// While it lives, the calling thread counts as the rank's main one, which does not go on any more.
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

int patience_ms = 20; // for the locks of all FILEs together

// Its lock may be held by the code that has crashed.
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

// What the rank has printed; its exit() has done all of it if it has ended.
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
        flush.attempt([](void *) { flush_process_files(); }, nullptr);
        return;
    }
    std::unique_lock table(rank_table_mutex(), std::try_to_lock); // or we are in a signal handler
    for (int i = 0; i < rank_count(); ++i)
        if (rank_at(i).libc)
            flush_rank(flush, rank_at(i));
}

} // namespace thrum
