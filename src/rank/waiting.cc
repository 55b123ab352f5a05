// Variables and events for tools (trace/recorder.h): how often and how long a rank waits, and in
// which state it is.
#include "base/clock.h"
#include "rank/rank.h"

namespace thrum {
namespace {

constexpr const char *states[] = {"computing", "in MPI", "waiting"};
constexpr Enumeration state_enumeration = {"rank_state", states, 3};
constexpr const char *wait_elements[] = {"kind", "nanoseconds"};
constexpr Enumeration wait_enumeration = {"wait", wait_elements, 2};

// Returns an index into `states`.
uint64_t state_of(const Call &call) {
    if (call.blockage.load(std::memory_order_relaxed))
        return 2;
    return call.function.load(std::memory_order_relaxed) != 0;
}

} // namespace

PERFORMANCE_VARIABLE(
    waits, .category = "scheduling",
    .description =
        "MPI calls of this rank that had to wait for another rank, and may have released the core",
    .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(wait_time, .category = "scheduling",
                     .description = "nanoseconds that this rank has spent in these waits",
                     .variable_class = MPI_T_PVAR_CLASS_TIMER,
                     .verbosity = MPI_T_VERBOSITY_USER_BASIC);
PERFORMANCE_VARIABLE(
    rank_state, .category = "scheduling",
    .description = "what the rank's main thread is doing, for its other threads; the "
                   "main thread itself sees that it is in MPI",
    .variable_class = MPI_T_PVAR_CLASS_STATE, .type = ValueType::Int,
    .enumeration = &state_enumeration,
    .read = [](uint32_t) { return state_of(current_rank().call); });
PERFORMANCE_VARIABLE(
    stack_bytes, .category = "scheduling",
    .description = "bytes of this rank's stack; 0 if it is the process's own",
    .variable_class = MPI_T_PVAR_CLASS_SIZE, .read = [](uint32_t) {
        const Rank &rank = current_rank();
        return static_cast<uint64_t>(rank.stack_high - rank.stack_low);
    });
EVENT_TYPE(
    wait_ended, .category = "scheduling",
    .description =
        "A call of this rank has finished waiting for another rank: what it waited for (0 a "
        "receive, 1 a send, 2 a probe, 3 a collective operation, 4 requests), and for how long.",
    .elements = &wait_enumeration, .types = {ValueType::Int, ValueType::Unsigned});

static FindWaitTarget *find_wait_target = nullptr; // set before ranks are observed

void set_find_wait_target(FindWaitTarget *function) {
    find_wait_target = function;
}

Waiting::Start Waiting::start_of_wait(const Blockage &blockage) {
    RankThread &self = current_rank_thread();
    const Rank &rank = *self.rank;
    // acquire [recorder-1]
    return {rank.recorder.load(std::memory_order_acquire) ? now_ns() : 0,
            rank.record
                ? observe::note_wait(self.observed, *rank.record, find_wait_target(blockage))
                : 0};
}

void Waiting::count_wait(const Blockage &blockage, const Start &start) {
    RankThread &self = current_rank_thread();
    if (start.ticks != 0)
        observe::note_wait_end(self.observed, start.ticks);
    if (start.ns == 0)
        return;
    Recorder *recorder = self.rank->recorder.load(std::memory_order_acquire); // [recorder-1]
    const int64_t waited_ns = now_ns() - start.ns;
    recorder->count(waits);
    recorder->count(wait_time, static_cast<uint64_t>(waited_ns));
    recorder->note(wait_ended_event, 0, static_cast<int64_t>(blockage.kind), waited_ns);
}

} // namespace thrum
