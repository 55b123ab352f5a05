// The end of an MPI_COMM_WORLD: its ranks meet in MPI_Finalize. They meet in a context of their
// own, so that MPI_Finalize is never taken for another collective operation. Its waits can be
// given up: see inspect/finalize_release.h.
#pragma once
#include "base/list.h"
#include "comm/blocking_calls.h"
#include "comm/process.h"

#include <atomic>
#include <optional>
#include <vector>

namespace thrum {

// What a rank has done on its MPI_COMM_WORLD before its end.
struct BeforeWorldEnd {
    uint32_t context_id = 0;
    uint32_t blocking_calls = 0; // comm/blocking_calls.h
};

// Makes `process.world` use the context of the end, while this object lives.
class AtWorldEnd {
public:
    explicit AtWorldEnd(Process &process);
    ~AtWorldEnd();
    AtWorldEnd(const AtWorldEnd &) = delete;
    AtWorldEnd &operator=(const AtWorldEnd &) = delete;

    Process &process;
    ListHook link; // in the list of those that are inside

    BeforeWorldEnd before() const { return {context_->id, operations_ & blocking_calls_mask}; }

private:
    Context *context_; // those of MPI_COMM_WORLD
    uint32_t operations_;
};

// Returns that of a rank that is at the end of its MPI_COMM_WORLD.
std::optional<BeforeWorldEnd> before_world_end(const Process &process);

// What release_ranks_at_end() has done.
struct ReleasedRanks {
    bool any = false;
    // Context ids of communicators of which all members of this process wait for packets of others.
    // The caller must make these packets fail.
    std::vector<uint32_t> contexts;
};

// Lets the ranks of this process that wait at the end of their MPI_COMM_WORLD continue. Called
// when a rank is known never to come there.
ReleasedRanks release_ranks_at_end();

namespace detail {

// Hidden: barriers read it without a detour.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> some_are_released;
[[gnu::cold]] bool is_released(const Process &process);
[[gnu::cold]] bool are_given_up(const Communicator &comm);

inline bool some_are_released_now() {
    return some_are_released.load(std::memory_order_relaxed);
}

} // namespace detail

// Returns whether the rank was released.
inline bool was_released(const Process &process) {
    return detail::some_are_released_now() && detail::is_released(process);
}

// Returns whether the waits of the rank's communicator were given up.
inline bool waits_are_given_up(const Communicator &comm) {
    return detail::some_are_released_now() && detail::are_given_up(comm);
}

} // namespace thrum
