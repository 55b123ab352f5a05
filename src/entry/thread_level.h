// The rules for the threads of a rank (MPI 5.0 section 11.6), checked with `mpiexec --check`: then
// MPI_Init gives MPI_THREAD_SINGLE, MPI_Init_thread the level that it is asked for, and what goes
// beyond that is an error. Without the option every program gets MPI_THREAD_MULTIPLE.
//
// A call is refused only because of what the threads do at that moment: a program may have threads
// that MPI does not see.
#pragma once
#include "base/error.h"
#include "check/active_buffers.h"
#include "comm/communicator.h"
#include "rank/rank.h"

namespace thrum {

// Checks a call of a process that has got less than MPI_THREAD_MULTIPLE: who makes it, and whether
// another thread of the rank is inside one.
[[gnu::cold]] Error check_thread(const RankThread &self);
// Checks who calls MPI_Finalize, and that no other thread of the rank is inside MPI (section
// 11.2.2).
[[gnu::cold]] Error check_thread_of_end(const RankThread &self);

// Notes that the calling thread begins a blocking collective operation. Returns an error if another
// thread of the rank is in one on the same communicator: their order would be left to chance
// (section 11.6.2).
[[gnu::cold]] Error note_collective(Communicator &comm);

namespace detail {

template <class Run>
[[gnu::cold, gnu::noinline]] Error run_noted(Communicator &comm, Run run) MAY_SUSPEND {
    if (Error error = note_collective(comm))
        return error;
    const Error error = run();
    comm.collective_site.store(nullptr, std::memory_order_relaxed);
    return error;
}

} // namespace detail

// Runs a blocking collective operation, run(); with --check of one thread at a time.
template <class Run>
inline Error run_alone(Communicator &comm, Run run) MAY_SUSPEND {
    return has_buffer_checks() ? detail::run_noted(comm, run) : run();
}

} // namespace thrum
