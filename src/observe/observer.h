// The observer: notes what the ranks of this process do in an observation (observation.h), if
// mpiexec asks for it (setting `observe`). A rank that is not observed has no record.
//
// Calls reach begin_call() and end_call() by paths that only some programs take: all calls are
// looked at (comm/process.h), and have follow-ups (trace/recorder.h). Messages, rounds and waits
// are noted where tools count them (somebody_listens()). So a job that is not observed pays
// nothing.
#pragma once
#include "observe/observation.h"
#include "observe/table.h"
#include "observe/thread_state.h"

namespace thrum::observe {

// Where a call site is: the object's file and the offset in it. nullptr: unknown. The offset may be
// line_of_script.
struct FoundPlace {
    const char *path;
    uint64_t offset;
};

using FindPlace = FoundPlace(const void *call_site);

// Makes this process's observation in directory `directory`, for ranks first_rank to first_rank +
// count - 1 of all_ranks. Ends the process if the file cannot be made.
void start(const char *directory, int first_rank, int count, int all_ranks, int workers,
           FindPlace *find_place);
// Returns the record of a rank of this process by its number among them; nullptr if ranks are not
// observed, or this one was added later.
RankRecord *record_of(int index);
// Returns the record of a rank that is added to this process, which it makes for a new number;
// nullptr if ranks are not observed, or there is no room.
RankRecord *added_record(int world_rank);

// Note the begin and the end of a call of the rank, whose function has this number.
//
// CallKind::Brief: it returns at once (MPI_Test, MPI_Comm_rank). Such calls are made in loops, and
// take less time than looking at the clock. So when 8 of a thread at one place have been short, one
// of 128 to 255 is timed, and those before it count as long as it. All are counted, but for the
// last of a rank that is killed. With an event log, while ranks are held, or if somebody else
// follows calls, each is timed. CallKind::OnlyWaits: once it has waited, it does nothing but wake
// others (MPI_Barrier), so it ends with its last wait.
void begin_call(ThreadState &self, RankRecord &record, uint16_t function, const void *call_site,
                CallKind kind);
void end_call(ThreadState &self, RankRecord &record);
// Does the same for a brief call that is not to be timed. Returns false for one that is.
inline bool skip_call(ThreadState &self, uint16_t function, const void *call_site);
inline void end_skipped_call(ThreadState &self, RankRecord &record);

// Notes that the rank sends a message to world rank `dest` in its call.
void note_message(ThreadState &self, RankRecord &record, int dest, uint64_t size_bytes);
// Notes that `length` messages are in an unexpected queue.
void note_queue(RankRecord &owner, uint64_t length);

// The moment at which a rank completes operations of others, with what has led to it.
struct Completion {
    uint64_t ticks, cause;
    Path path;
};

// Returns that of the call of `self`, a thread of world rank `rank`, now. `record` is nullptr if
// that rank is not observed.
Completion completion_by(const ThreadState &self, int rank, RankRecord *record, Cause::Kind kind);

// Returns whether a completion is of interest to the rank: it waits. If it begins to wait at this
// moment, the cause of that short wait stays unknown.
inline bool wants_completion(const RankRecord *record) {
    return record && record->waits_now.load(std::memory_order_relaxed);
}

// Notes that an operation of this rank is complete.
void note_completion(RankRecord &record, const Completion &completion);

// Notes the begin of a wait in the call of `self`, and returns when it is: the first wait of a call
// begins with the call.
uint64_t note_wait(ThreadState &self, RankRecord &record, const WaitTarget &target);
// Notes the end of the wait of `self` that began at `since_ticks`.
void note_wait_end(ThreadState &self, uint64_t since_ticks);

// Notes that a receive of this rank has matched a message. Any rank's thread calls it.
inline void note_received(RankRecord &record) {
    record.received.fetch_add(1, std::memory_order_relaxed);
}

// Notes that `length` messages are left in the unexpected queue of this rank.
inline void note_queue_taken(RankRecord &record, uint64_t length) {
    record.unexpected_now.store(length, std::memory_order_relaxed);
}

// The observation of this process; nullptr: it has none.
Observation *own_observation();

// Returns whether the ranks are to be held at their next call.
inline bool holds_ranks() {
    return at<Observation>(0)->hold_until_ns.load(std::memory_order_relaxed) != 0;
}

// Notes that the rank is held in the call that it has begun, and that it goes on: the call begins
// only then.
void note_held(RankRecord &record);
void note_held_end(ThreadState &self, RankRecord &record);

// Notes that the rank comes to a collective operation: at the begin of its call, if it has come to
// none in it and has not waited.
inline void note_arrival(ThreadState &self, RankRecord &record) {
    const bool is_first = self.begin_ticks && self.arrivals == 0 && self.wait_ticks == 0;
    record.arrival_ticks.store(is_first ? self.begin_ticks : now_ticks(),
                               std::memory_order_relaxed);
    ++self.arrivals;
}

// Notes that the rank was the last to come to a collective operation of `members` ranks: the first
// came at first_ticks, the last but one at second_last_ticks.
void note_gathering(const ThreadState &self, RankRecord &record, uint32_t context, int members,
                    uint64_t first_ticks, uint64_t second_last_ticks);

// Returns the number of the file with this name, + 1; 0 if ranks are not observed, or there is no
// room.
uint32_t file_number(const char *name);

// Notes that the rank's call is for this file, of this number + 1.
inline void note_file(ThreadState &self, uint32_t file) {
    self.file = file;
}

// Notes that a call reads or writes the file.
void note_access(RankRecord &record, uint32_t file, bool writing);
// Notes that these bytes of the file have been read or written for the rank. Any thread.
void note_moved(RankRecord &record, uint32_t file, bool writing, uint64_t size_bytes);

// Notes how much memory the rank's program has now, and has had at one time. Any thread of it.
inline void note_heap(RankRecord &record, uint64_t bytes, uint64_t most_bytes) {
    record.heap_bytes.store(bytes, std::memory_order_relaxed);
    record.heap_most_bytes.store(most_bytes, std::memory_order_relaxed);
}

// Notes that the rank has ended with this exit code.
void note_end(RankRecord &record, int code);

namespace detail {

// Adds what a call that was not timed has done: it may have helped with an operation of many ranks.
void add_untimed_work(ThreadState &self, RankRecord &record);

} // namespace detail

inline bool skip_call(ThreadState &self, uint16_t function, const void *call_site) {
    ThreadState::KnownCall *known = self.entry_of(ThreadState::key_of(function, call_site), true);
    if (!known || known->to_skip == 0)
        return false;
    --known->to_skip;
    return true;
}

inline void end_skipped_call(ThreadState &self, RankRecord &record) {
    if (self.bytes || self.wait_ticks) [[unlikely]]
        detail::add_untimed_work(self, record);
}

} // namespace thrum::observe
