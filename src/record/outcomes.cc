// The sequences of the threads (outcomes.h).
#include "record/outcomes.h"

#include "base/check.h"
#include "base/settings.h"
#include "base/sleeping_lock.h"
#include "rank/rank.h"
#include "record/record_file.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <vector>

namespace thrum {

// The sequence of a thread; belongs to it. Never freed: a record needs a few, and senders write to
// the words of threads that have ended.
struct OutcomeSequence {
    // Recorded: the next word and its number, and the end of its block; the number of the last
    // Missed, if that is the last outcome; otherwise 0.
    RecordFile::Word *word = nullptr;
    uint32_t next = 0, end = 0, last_missed = 0;
    uint32_t words = 0; // of the thread
    // Replayed: what the record has, how much of it is used, and how much of the present Missed.
    const std::vector<Outcome> *recorded = nullptr;
    size_t used = 0;
    uint32_t used_misses = 0;
    // Number and owner. An added rank (rank/added.h) has neither, and no outcomes.
    RecordedThread thread;
    bool is_kept = false;
};

constinit OutcomeMode outcome_mode = OutcomeMode::Free;

namespace {

SleepingLock begin_lock;
bool has_begun_outcomes = false; // guarded by begin_lock
RecordFile file;
RecordedOutcomes recorded_outcomes;                // written before ranks use MPI
std::atomic<uint32_t> *threads_of_ranks = nullptr; // with outcomes, beside the main ones
std::atomic<bool> has_said_end{false};
DepartureFunction *departure_function = nullptr;

const std::vector<Outcome> no_outcomes;

[[gnu::noinline]] OutcomeSequence &make_sequence(RankThread &self) {
    auto *sequence = new OutcomeSequence;
    self.outcomes = sequence;
    const Rank &rank = *self.rank;
    if (!is_first_rank(rank))
        return *sequence;
    sequence->is_kept = true;
    sequence->thread.world_rank = rank.world_rank;
    if (&self != &rank)
        sequence->thread.thread =
            1 + threads_of_ranks[rank.world_rank - rank_at(0).world_rank].fetch_add(
                    1, std::memory_order_relaxed);
    const auto found = recorded_outcomes.find(sequence->thread);
    sequence->recorded = found == recorded_outcomes.end() ? &no_outcomes : &found->second;
    return *sequence;
}

inline OutcomeSequence &own_sequence() {
    RankThread &self = current_rank_thread();
    return self.outcomes ? *self.outcomes : make_sequence(self);
}

[[gnu::noinline]] void begin_block(OutcomeSequence &sequence) {
    sequence.next = file.new_block(sequence.thread);
    sequence.end = sequence.next + RecordFile::block_words - RecordFile::block_header_words;
    sequence.word = &file.at(sequence.next);
}

inline uint32_t append_in_block(OutcomeSequence &sequence, Outcome outcome) {
    sequence.word++->store(outcome.word(), std::memory_order_relaxed);
    ++sequence.words;
    return sequence.next++;
}

[[gnu::noinline]] uint32_t append_in_new_block(OutcomeSequence &sequence, Outcome outcome) {
    if (!sequence.is_kept)
        return 0;
    begin_block(sequence);
    return append_in_block(sequence, outcome);
}

// Returns the number of the word; 0: the rank is not recorded.
inline uint32_t append(OutcomeSequence &sequence, Outcome outcome) {
    return sequence.next == sequence.end ? append_in_new_block(sequence, outcome)
                                         : append_in_block(sequence, outcome);
}

const char *description_of(OutcomeKind kind) {
    switch (kind) {
    case OutcomeKind::Receive:
        return "a receive from MPI_ANY_SOURCE";
    case OutcomeKind::Probe:
        return "a probe from MPI_ANY_SOURCE";
    case OutcomeKind::Missed:
        return "a test, probe or MPI_Cancel that finds nothing complete";
    case OutcomeKind::Message:
        return "MPI_Iprobe or MPI_Improbe that finds a message";
    case OutcomeKind::Complete:
        return "a test or MPI_Cancel that finds its requests complete";
    case OutcomeKind::One:
        return "MPI_Waitany or MPI_Testany";
    case OutcomeKind::Some:
    case OutcomeKind::Index:
        return "MPI_Waitsome or MPI_Testsome";
    case OutcomeKind::None:
    case OutcomeKind::End:
        break;
    }
    return "MPI_Finalize";
}

[[gnu::cold]] void depart(const OutcomeSequence &sequence, OutcomeKind recorded) {
    depart_from_record("%s (outcome %zu of the rank)", description_of(recorded), sequence.used + 1);
}

// A record of a run that was killed or has crashed ends anywhere.
[[gnu::cold]] void note_early_end(const OutcomeSequence &sequence) {
    if (sequence.is_kept && !records_outcomes() &&
        !has_said_end.exchange(true, std::memory_order_relaxed))
        report("note: rank %d has come to the end of its record, which was cut off there: from now "
               "on it is free",
               sequence.thread.world_rank);
}

// Counts the next of several misses in a row.
Outcome take_miss(OutcomeSequence &sequence) {
    const Outcome missed = (*sequence.recorded)[sequence.used];
    if (++sequence.used_misses == missed.value) {
        sequence.used_misses = 0;
        ++sequence.used;
    }
    return missed;
}

} // namespace

namespace {

// Creates the record of this process and reads the one that it follows. Ends the process if a
// directory cannot be used; `option` is the one that names it.
void use_records(const char *record, const char *replay, const char *option) {
    const Rank &first = rank_at(0);
    std::string error;
    if (record)
        error = file.create(record, first.world_rank, first.world_size);
    if (error.empty() && replay)
        error = why_not_replayed(replay, first.world_size);
    if (!error.empty())
        die(2, "%s: %s", option, error.c_str());
    if (replay)
        recorded_outcomes = read_record(replay, first.world_rank, first_rank_count());
}

} // namespace

void begin_outcomes() {
    const char *record = settings().record, *replay = settings().replay;
    const char *explored = settings().explored;
    if (!record && !replay && !explored)
        return;
    SleepingLock::Guard guard(begin_lock);
    if (has_begun_outcomes)
        return;
    has_begun_outcomes = true;
    threads_of_ranks = new std::atomic<uint32_t>[static_cast<size_t>(first_rank_count())]();
    if (record && replay)
        die(2, "--record and --replay: a run that follows a record would only make the same one; "
               "leave out either");
    if (explored)
        use_records((std::string(explored) + explored_record).c_str(),
                    (std::string(explored) + explored_prefix).c_str(), "--explore");
    else
        use_records(record, replay, record ? "--record" : "--replay");
    outcome_mode = explored ? OutcomeMode::Explored
                   : record ? OutcomeMode::Recorded
                            : OutcomeMode::Replayed;
}

void end_outcomes() {
    if (!keeps_outcomes())
        return;
    OutcomeSequence &sequence = own_sequence();
    if (replays_outcomes() && sequence.used < sequence.recorded->size() &&
        (*sequence.recorded)[sequence.used].kind != OutcomeKind::End)
        depart(sequence, (*sequence.recorded)[sequence.used].kind);
    if (records_outcomes())
        append(sequence, {OutcomeKind::End, 0});
}

void depart_from_record(const char *format, ...) {
    char text[200];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    departure_function((settings().explored
                            ? std::string(departs_from_prefix)
                            : std::string("the run departs from its record ") + settings().replay) +
                       ", which has here " + text);
}

void set_departure_function(DepartureFunction *function) {
    departure_function = function;
}

[[gnu::noinline]] static uint32_t record_first_outcome(OutcomeKind kind, int value) {
    own_sequence();
    return record_outcome(kind, value);
}

// On the way of a message: what is rare is called last, so that the rest needs no stack.
uint32_t record_outcome(OutcomeKind kind, int value) {
    const Task *self = current_task_or_null;
    OutcomeSequence *sequence = self ? static_cast<const RankThread *>(self)->outcomes : nullptr;
    if (!sequence) [[unlikely]]
        return record_first_outcome(kind, value);
    sequence->last_missed = 0;
    return append(*sequence, {kind, static_cast<uint32_t>(value) & Outcome::value_max});
}

// Counts a call that found nothing, together with those before it.
static void record_miss() {
    OutcomeSequence &sequence = own_sequence();
    if (sequence.last_missed) {
        RecordFile::Word &word = file.at(sequence.last_missed);
        const Outcome missed = Outcome::of(word.load(std::memory_order_relaxed));
        if (missed.value < Outcome::value_max) {
            word.store(Outcome{missed.kind, missed.value + 1}.word(), std::memory_order_relaxed);
            return;
        }
    }
    sequence.last_missed = append(sequence, {OutcomeKind::Missed, 1});
}

void record_find(OutcomeKind kind, bool has_found, int value) {
    if (has_found)
        record_outcome(kind, value);
    else
        record_miss();
}

uint32_t recorded_words() {
    return own_sequence().words;
}

void settle_receive(uint32_t word, uint32_t source) {
    if (word)
        file.at(word).store(Outcome{OutcomeKind::Receive, source}.word(),
                            std::memory_order_relaxed);
}

// Returns whether the outcome is recorded by the caller, which gets its message only later.
static bool is_of_message(OutcomeKind kind) {
    return kind == OutcomeKind::Receive || kind == OutcomeKind::Probe ||
           kind == OutcomeKind::Message;
}

Outcome replay_outcome(OutcomeKind kind, bool may_miss) {
    OutcomeSequence &sequence = own_sequence();
    if (!sequence.is_kept)
        return {};
    if (sequence.used == sequence.recorded->size()) {
        note_early_end(sequence);
        return {};
    }
    const Outcome next = (*sequence.recorded)[sequence.used];
    if (next.kind == OutcomeKind::Missed && may_miss) {
        if (records_outcomes())
            record_miss();
        return take_miss(sequence);
    }
    if (next.kind != kind)
        depart(sequence, next.kind);
    ++sequence.used;
    if (records_outcomes() && !is_of_message(kind))
        record_outcome(kind, static_cast<int>(next.value));
    return next;
}

} // namespace thrum
