// For unit tests and benchmarks: ranks with MPI state, in this process, without images.
#pragma once
#include "comm/process.h"
#include "comm/process_lifecycle.h"
#include "rank/testing/run_ranks.h"

namespace thrum {

// Runs function(process) as each of `count` initialized processes, to their end. Afterwards their
// state can be inspected with process_at() until the next call.
template <class F>
void run_processes(int count, F function, const TeamOptions &options = {}) {
    create_processes(count);
    auto run = [](Rank &rank, void *argument) {
        Process &process = bind_process(rank);
        begin_world(process, MPI_THREAD_SINGLE);
        (*static_cast<F *>(argument))(process);
    };
    run_ranks(count, run, &function, options);
}

} // namespace thrum
