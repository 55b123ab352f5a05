#include "rank/vain_polls.h"

#include "rank/program_state.h"

namespace thrum {

namespace detail {

std::atomic<uint32_t> poll_tick{0};

} // namespace detail

namespace {

bool livelocks_allowed = false; // written before there are ranks

// At three ticks a second: three seconds of polls without a pause, twelve of others. A rank that
// sleeps or computes between its polls may count them in memory, and stops after fewer.
constexpr uint32_t patience_min = 40;
constexpr uint32_t busy_step = 4, slow_step = 1;
constexpr uint32_t busy_polls_min = 1000; // in a tick
constexpr int examined_max = 32;          // in a tick: more than a loop over all kinds makes

// Begins anew: the thread has done something else. That may happen many times in a tick, of which
// no more polls are examined.
void begin(VainPolls &polls, const RankThread &self, uint32_t tick) {
    if (tick != polls.tick)
        polls.examined = 0;
    polls.count = 0;
    polls.waits = self.call.waits.load(std::memory_order_relaxed);
    polls.outside = self.outside_looks;
    polls.tick = tick;
    polls.polls = self.polls;
    polls.has_news = true;
    polls.patience = 0;
}

// Ends the last tick, and begins this one.
void begin_tick(VainPolls &polls, RankThread &self, uint32_t tick) {
    const bool is_busy = self.polls - polls.polls >= busy_polls_min;
    polls.patience = polls.has_news ? 0 : polls.patience + (is_busy ? busy_step : slow_step);
    if (polls.patience >= patience_min)
        // release [polls-1]: who reads this sees what the thread polls for.
        self.call.polls.store(&polls, std::memory_order_release);
    polls.tick = tick;
    polls.polls = self.polls;
    polls.examined = 0;
    polls.has_news = false;
}

void *const *handles_of(const Blockage &blockage) {
    return static_cast<void *const *>(blockage.requests);
}

// Returns a digest of the program's state and of what it polls for; 0: unknown.
uint64_t state_of(CallPlace place, const Blockage &blockage) {
    uint64_t state = program_state(place.call_site);
    if (state == 0)
        return 0;
    state = digest(state, reinterpret_cast<uintptr_t>(blockage.communicator));
    for (int value : {blockage.peer, blockage.tag, blockage.requests_length})
        state = digest(state, static_cast<uint32_t>(value));
    for (int i = 0; i < blockage.requests_length; ++i)
        state = digest(state, reinterpret_cast<uintptr_t>(handles_of(blockage)[i]));
    return state ? state : 1;
}

// Copies the handles of the requests.
void add(VainPolls &polls, uint64_t state, CallPlace place, const Blockage &blockage) {
    if (polls.count == VainPolls::kinds_max) // what it does is new each time
        polls.count = 0;
    VainPoll &poll = polls.kinds[polls.count];
    poll.state = state;
    poll.place = place;
    poll.blockage = blockage;
    poll.requests.assign(handles_of(blockage), handles_of(blockage) + blockage.requests_length);
    poll.blockage.requests = poll.requests.data();
    polls.last = polls.count++;
    polls.has_news = true;
}

// Returns the number of the kind with this state; polls.count: none.
size_t find(const VainPolls &polls, uint64_t state) {
    size_t i = 0;
    while (i < polls.count && polls.kinds[i].state != state)
        ++i;
    return i;
}

} // namespace

// The thread stops showing its polls before it changes them.
void detail::examine_vain_poll(RankThread &self, uint32_t tick, const Blockage &blockage) {
    if (!self.vain_polls)
        self.vain_polls = std::make_shared<VainPolls>();
    VainPolls &polls = *self.vain_polls;
    const CallPlace place = place_of(self.call);
    const uint64_t state = state_of(place, blockage);
    if (state == 0 ||
        !still_polls(polls, self.call.waits.load(std::memory_order_relaxed), self.outside_looks)) {
        self.call.polls.store(nullptr, std::memory_order_relaxed);
        begin(polls, self, tick);
    } else if (tick != polls.tick) {
        begin_tick(polls, self, tick);
    }
    const size_t known = find(polls, state);
    if (known < polls.count) {
        polls.last = known;
    } else {
        self.call.polls.store(nullptr, std::memory_order_relaxed);
        add(polls, state, place, blockage);
    }
    if (++polls.examined >= examined_max)
        self.poll_tick = tick;
}

void allow_livelocks() {
    livelocks_allowed = true;
}

void advance_poll_tick() {
    if (!livelocks_allowed)
        return;
    uint32_t next = detail::poll_tick.load(std::memory_order_relaxed) + 1; // one thread at a time
    detail::poll_tick.store(next ? next : 1, std::memory_order_relaxed);
}

bool still_polls(const VainPolls &polls, uint32_t waits, uint32_t outside_looks) {
    constexpr uint32_t ticks_max = 2;
    const uint32_t now = detail::poll_tick.load(std::memory_order_relaxed);
    return polls.waits == waits && polls.outside == outside_looks && now - polls.tick <= ticks_max;
}

} // namespace thrum
