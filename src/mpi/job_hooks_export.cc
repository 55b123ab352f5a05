// What the layer rank asks of MPI when a program starts and when one of its ranks ends.
#include "comm/process.h"
#include "rank/job.h"

namespace thrum {
namespace {

void before_ranks(int world_size) {
    create_processes(world_size);
    for (int i = 0; i < world_size; ++i)
        bind_process(rank_at(i));
}

const char *rank_ended(Rank &rank, int) {
    bool open = rank.process->state.load(std::memory_order_relaxed) == ProcessState::Initialized;
    return open ? "ended without calling MPI_Finalize" : nullptr;
}

[[gnu::constructor]] void install_job_hooks() {
    set_job_hooks({.before_ranks = before_ranks, .rank_ended = rank_ended});
}

} // namespace
} // namespace thrum
