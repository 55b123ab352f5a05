// Deadlocks of some ranks of a job of several node processes: they wait for each other while others
// compute, sleep or poll. (process_deadlock.h reports those of the whole job.)
//
// Each process looks three times a second what its ranks wait for. A new finding goes to the first
// process as a reading (process_waits.h), which merges those of all. If some ranks can never
// continue by them, it asks the processes of these ranks for a second reading, and reports those
// that can never continue by the second readings alone.
//
// Proof that these ranks, the set S, never continue. Let T be the moment of the question.
// 1. A second reading shows a rank as blocked only if all its threads have been in the same wait
//    since the first one, which was made before T. So at T all of S are in these waits. Ranks shown
//    as ended had ended before T.
// 2. Let r be the first of S to leave its wait, after T. What ends the wait is an act of the
//    program in ranks that are in S or have ended: a message sent, a receive posted, a collective
//    operation begun. These do not act between T and then, so the act came before T, and only its
//    effect is late.
// 3. A message to r was sent before the first reading of its sender, which says how many messages
//    its process had sent to that of r. The second reading of r begins when that many have been
//    taken there, in order (fabric.h, promise 1). By then the message would have met the receive or
//    probe of r, and a receive that has met one does not count: its data may be under way.
// 4. A send of r counts only if its envelope is in the queue at the second reading of the process
//    of its receiver. So no receive had met it, and only the receiver can post another one.
// 5. A collective operation of r counts only if, at its second reading, a member that is needed had
//    not begun it, and only that member can; or if the rank that runs it for another process, whose
//    packet r awaits, is in S. That packet had not been sent: by 3 it would have met r's receive.
// So r does not leave its wait. If S needs ranks that wait in MPI_Finalize, and others, nothing is
// reported yet: these are let go from it (finalize_release.h), and then end the job with an exit
// code, or end well, and S is reported without them. Timers, starting
// threads and threads that the library does not know may act for a rank: a process with one of them
// shows no rank as blocked, in either reading.
//
// A rank that seems to poll for ever (rank/vain_polls.h) counts as one that waits: that it does not
// stop by itself is no part of the proof. Other ranks that poll in vain (poll_watch.h) are worth a
// note: each process tells the first one when nobody in it makes progress, and when somebody does
// again.
//
// Invariants
// 1. The way of a message pays nothing: the numbers of messages are those of fabric_traffic().
// 2. A running job pays for three looks per second, and for a packet when ranks have come into or
//    out of a wait of a third of a second.
#pragma once
#include "base/node_process.h"
#include "inspect/deadlock_report.h"
#include "inspect/own_waits.h"
#include "inspect/poll_looks.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thrum {

// The watch of this process. In the first process it also collects the readings. Used only by the
// thread of the observer (process_deadlock.cc).
class PartialWatch {
public:
    // What the watches tell each other, with the number of a reading (each process numbers its
    // own).
    enum class What : uint32_t {
        Reading, // to the first process
        Ask,     // from it: read again, if your last reading has this number
        Answer,  // to it: the second reading, in the payload; "" if there is a later first one
        Stall,   // to it: in the payload, how many ranks poll and wait without progress; "": some
                 // make progress
        Tell,    // from it: what do your ranks do? Number 1: the job will end
        Lines,   // to it: their snapshot, in the payload; "" if it failed
        Release, // from it: MPI_Finalize need not wait; in the payload, where others wait
    };
    using Send = void(NodeProcess process, What what, uint32_t number, const std::string &payload);

    PartialWatch(int process_count, Send *send) : send_(send), known_(process_count) {}

    // Does what is due, and returns when the next thing is (now_ns()).
    int64_t act(NodeProcess first_process);
    void take(NodeProcess source, What what, uint32_t number, const std::string &payload);
    // Discards all readings, after the loss of a process.
    void forget();

    // Returns, once, whether all ranks that have not ended were found to wait for each other.
    bool take_everybody() { return std::exchange(is_everybody_, false); }

private:
    // What the first process knows of a process: its last reading, and its answer.
    struct Known {
        std::optional<ProcessWaits> first, second;
        uint32_t number = 0; // of `first`
        bool is_asked = false;
        std::optional<Polling> stall;
    };

    // Why the first process asks all what their ranks do.
    enum class Purpose : uint8_t { Report, Release, Note };

    using Reading = std::optional<ProcessWaits> Known::*;

    void send(NodeProcess process, What what, uint32_t number, const std::string &payload);
    WaitGraph first_graph() const;
    std::vector<const ProcessWaits *> readings(Reading which) const;
    bool all_is_taken_by(const std::vector<int> &receivers) const;
    void look(NodeProcess first_process);
    void look_for_polling(NodeProcess first_process);
    void note_reading(NodeProcess source, uint32_t number, const std::string &payload);
    void ask();
    void note_answer(NodeProcess source, uint32_t number, const std::string &payload);
    void judge_if_all_have_answered();
    std::vector<int> stuck_without_finalizing(WaitGraph graph) const;
    void judge();
    void try_later();
    void note_stall(NodeProcess source, const std::string &payload);
    Polling all_that_stall() const;
    void collect(Purpose purpose);
    void note_lines(const std::string &payload);
    void end_collection();
    void report_all();
    void release_finalizing();
    void report_polling_of_all();

    Send *send_;
    OwnWaits own_;
    PollLooks polls_;
    std::string said_stall_; // to the first process
    int64_t look_at_ns_ = 0;
    int64_t poll_until_ns_ = 0;
    // Used only in the first process.
    enum class Phase : uint8_t { Idle, Asking, Collecting, Releasing } phase_ = Phase::Idle;
    int64_t due_at_ns_ = 0; // Idle: the next question, 0: none; else the end of the patience
    int64_t pause_ns_ = 0;  // before the next question, if this one proves nothing
    int64_t merge_ns_ = 0;  // how long the readings took the last time
    std::vector<Known> known_;
    std::set<std::vector<int>> reported_;
    bool is_everybody_ = false;
    Purpose purpose_ = Purpose::Report;
    std::vector<int> stuck_; // ranks that will be reported or, some of them, let go
    int64_t note_at_ns_ = 0; // 0: somebody makes progress, or the note is made
    bool has_noted_polling_ = false;
    bool some_have_ended_ = false;
    Snapshot all_;
    std::optional<Snapshot> before_release_; // of the ranks that were let go
    int missing_ = 0;                        // snapshots
};

} // namespace thrum
