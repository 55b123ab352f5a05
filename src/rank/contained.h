// Contained ranks: those of a run (run/, thrum_run), which call a function instead of a program's
// main, and whose failures end the rank and not the process.
//
// How a contained rank leaves its function, and what becomes of the C++ objects on its stack:
//
//   returns                               nothing to do
//   exit, failed assert, MPI_Abort,       end_contained(): unwound by force, so destructors run
//   an MPI error, condemned in MPI
//   crash, abort()                        abandon_contained(): left as it is
//
// Invariants
// 1. Only the main thread of a rank is contained. Another thread that it has made ends the process
//    as it does elsewhere.
// 2. A rank is unwound once. What its destructors do then can end the rank, but not unwind it
// again.
// 3. A condemned rank that waits in MPI is woken only when no other rank of its run is running
//    inside MPI: nobody else can wake it then.
#pragma once
#include "base/may_suspend.h"
#include "rank/rank.h"

#include <csetjmp>
#include <unwind.h>

namespace thrum {

struct Contained;

// How a contained rank has ended. The values are those of thrum_rank_end in <thrum/run.h>.
enum class RankEnd : int {
    Returned = 0,
    Exited,
    Threw,
    Asserted,
    Signaled,
    Aborted,
    Deadlocked,
    TimedOut,
    Abandoned,
    Running,
};

// A run: what contained ranks do and whom they tell.
class Containment {
public:
    // Calls the function of the rank. Returns its result.
    virtual int call(Contained &member) MAY_SUSPEND = 0;
    // Called once by each rank, as its last act but for leaving its stack.
    virtual void rank_has_ended(Contained &member) MAY_SUSPEND = 0;
    // Makes the rank's MPI refuse calls, because the rank is about to be unwound.
    virtual void close_mpi(Contained &member) = 0;

protected:
    ~Containment() = default;
};

// What a contained rank has beside its Rank. Its owner is the run.
struct Contained {
    Containment *run = nullptr;
    Rank *rank = nullptr;
    int number = 0;                     // in its run
    bool has_own_process_state = false; // image and C-library state: globals are private
    // Written by the run.
    std::atomic<bool> is_condemned{false};       // ends inside its next MPI call
    std::atomic<bool> is_to_be_abandoned{false}; // ends where a kick finds it in the program
    // Set by a kick (libc/signals.h): after the condemnation the rank was outside MPI.
    std::atomic<bool> was_seen_outside{false};
    // The rest is the rank's own.
    bool is_unwinding = false;
    bool keeps_reports = false; // report() adds to `text`
    bool has_abandoned_stack = false;
    bool was_inside_mpi = false;   // at its end: what the call has left behind refers to its stack
    jmp_buf end;                   // in live_contained()
    const void *frame = nullptr;   // of live_contained(): unwinding stops there
    _Unwind_Exception exception{}; // of the forced unwinding
    int process_id = 0;            // a child of fork() has another one
    // Its first failure; Returned: none.
    std::atomic<RankEnd> failure{RankEnd::Returned};
    int code = 0;
    uint64_t failure_number = 0; // in the order of all failures
    size_t text_bytes = 0;
    char text[8192]; // what happened, in lines; an array, because a crash must not allocate
};

// Records how the rank has failed. Only the first failure counts. `text` nullptr: what report() has
// kept. Called by the rank itself, or by the run while the rank cannot run. Safe in a signal
// handler.
void note_failure(Contained &member, RankEnd end, int code, const char *text);

// Returns the calling rank's Contained, if the caller is its main thread and not in a child of
// fork(); otherwise nullptr. Safe in a signal handler.
Contained *contained_caller();

// Runs a contained rank from its first instruction to its last. Returns when it has ended.
void live_contained(Rank &rank) MAY_SUSPEND;

// Describes an exit code that is a failure.
struct ExitText {
    char text[64];
};

ExitText exit_text(int code);
// Ends the calling contained rank, whose exit handlers have run: with `code`, without unwinding.
[[noreturn]] void leave_contained(Contained &self, int code);
// Ends the calling contained rank: records the failure, unless `end` is Returned (note_failure()),
// and unwinds.
[[noreturn]] void end_contained(Contained &self, RankEnd end, int code, const char *text);
// Does the same without unwinding, for a rank whose stack or state may be broken. Safe in a signal
// handler on the rank's signal stack.
[[noreturn]] void abandon_contained(Contained &self, RankEnd end, int code);

// Keeps what the calling rank reports from now on, until it ends (its failure is part of a result).
// Returns false if the caller is not contained.
bool keep_reports_of_caller();

// Wakes a condemned rank that waits inside MPI, so that it unwinds itself.
void wake_condemned(Contained &member);
// Returns whether the rank is inside an MPI call, and whether it waits there.
bool is_in_mpi(const Rank &rank);
bool waits_in_mpi(const Rank &rank);
// Looks at the calling rank, whose thread a signal has interrupted at `instruction` in the program,
// outside MPI. Does not return if the rank is abandoned.
void look_at_condemned(const void *instruction);
// Ends the caller if it is condemned and inside MPI. Called wherever a rank continues after it has
// waited.
void end_if_condemned(RankThread &self);

} // namespace thrum
