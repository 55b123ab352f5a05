// Polls in vain (MPI_Test, MPI_Iprobe and similar calls): what a thread polls for, for the watch
// over deadlocks (inspect/wait_reader.h).
//
// A thread that seems to poll for ever shows what it polls for, as one that waits shows a Blockage.
// Nobody can know that it will never stop, so much is asked of it. At each of many ticks of the
// watch, some polls in a row are examined. They are of few kinds, and at each the program has in
// registers and on its stack what it had there before: a loop that counts is different each time.
// And since the first of them the thread has found nothing, has waited for nothing, and has looked
// at no clock, file or socket, which may tell it to stop. Such looks are seen where libmpi replaces
// the C library's functions (libc/). An ordinary process shows nothing if its program refers to
// such functions, or has loaded libmpi while it ran.
//
// Invariants
// 1. A poll in vain costs two loads, an addition and a comparison; a few of them in each tick some
//    microseconds.
// 2. Only the thread writes its VainPolls. Others copy them, and copy `call.polls`, `tick` and
//    `waits` again to know that they have stayed.
#pragma once
#include "rank/rank.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace thrum {

// One of the polls of a loop.
struct VainPoll {
    uint64_t state = 0; // of the program there (rank/program_state.h), and what it polls for
    CallPlace place;
    Blockage blockage;            // what ends the poll
    std::vector<void *> requests; // of `blockage`, copied: the array may be the library's own
};

struct VainPolls {
    static constexpr size_t kinds_max = 4; // more are too many to be known
    std::array<VainPoll, kinds_max> kinds; // those that differ
    size_t count = 0;                      // of them
    size_t last = 0;                       // which was the last that was examined
    uint32_t waits = 0;                    // of the thread's Call
    uint32_t outside = 0;                  // its looks outside MPI
    uint32_t tick = 0;                     // the last one with a poll
    uint32_t polls = 0;                    // of the thread, until then
    int examined = 0;                      // in it
    bool has_news = true;                  // one that is new has been found in it
    uint32_t patience = 0;                 // grows with each tick without news
};

namespace detail {

extern std::atomic<uint32_t> poll_tick; // 0: nobody watches

// Sets `self.poll_tick` when enough polls of the tick have been examined.
void examine_vain_poll(RankThread &self, uint32_t tick, const Blockage &blockage);

} // namespace detail

// Lets threads show their polls: all looks outside MPI are counted. Called before there are ranks.
void allow_livelocks();

// Called by the watch, a few times a second.
void advance_poll_tick();

// Counts that the calling thread has polled in vain. `describe` returns what ends the poll.
template <class Describe>
inline void count_vain_poll(Describe describe) {
    RankThread &self = current_rank_thread();
    ++self.polls;
    const uint32_t tick = detail::poll_tick.load(std::memory_order_relaxed);
    if (tick != self.poll_tick) [[unlikely]]
        detail::examine_vain_poll(self, tick, describe());
}

// Counts that the calling thread looks at a clock, a file or a socket.
inline void count_outside_look() {
    if (auto *self = static_cast<RankThread *>(current_task_or_null))
        ++self->outside_looks;
}

// Returns whether a thread that showed `polls` still does: it has polled since the tick before the
// last one, and done nothing else.
bool still_polls(const VainPolls &polls, uint32_t waits, uint32_t outside_looks);

} // namespace thrum
