// Facts about this library for libmpi_abi.so.1-gdb.py: offsets, names and addresses of tables, as a
// list of names and numbers. The script reads them from the memory of a process or a core file, so
// it needs no debug information and calls nothing.
#include "comm/communicator.h"
#include "entry/entry.h"
#include "fiber/scheduler.h"
#include "image/debugger.h"
#include "rank/rank.h"

#include <cstddef>

namespace thrum {
namespace {

// An entry of the list.
struct Fact {
    const char *name;
    const void *value; // a number, or an address
};

const void *number(size_t n) {
    return reinterpret_cast<const void *>(n);
}

constexpr const char *state_names[] = {"created", "ready", "running", "waiting", "ended"};
static_assert(static_cast<int>(TaskState::Done) + 1 == std::size(state_names));

constexpr const char *blockage_names[] = {"receive",    "send",     "probe",
                                          "collective", "requests", "described"};
static_assert(static_cast<int>(Blockage::Kind::Described) + 1 == std::size(blockage_names));

} // namespace
} // namespace thrum

// The list ends with a null name. If the meaning of a fact changes, it gets another name: scripts
// and libraries of different versions may meet.
extern "C" {
// for classes with a base, which GCC and Clang support
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
[[gnu::visibility("default")]] extern const thrum::Fact thrum_debug_facts[];

const thrum::Fact thrum_debug_facts[] = {
    {"rank_table", &thrum::the_rank_table},
    {"rank_table.ranks", thrum::number(offsetof(thrum::RankTable, ranks))},
    {"rank_table.count", thrum::number(offsetof(thrum::RankTable, count))},
    {"rank_bytes", thrum::number(sizeof(thrum::Rank))},
    {"rank.world_rank", thrum::number(offsetof(thrum::Rank, world_rank))},
    {"rank.image", thrum::number(offsetof(thrum::Rank, image))},
    {"rank.ended", thrum::number(offsetof(thrum::Rank, ended))},
    {"task.kind", thrum::number(offsetof(thrum::Rank, kind))}, // 0: fiber, 1: OS thread
    {"task.state", thrum::number(offsetof(thrum::Rank, state))},
    {"task.on_worker", thrum::number(offsetof(thrum::Rank, on_worker))},
    {"task.worker", thrum::number(offsetof(thrum::Rank, worker))},
    {"task.stack_pointer", thrum::number(offsetof(thrum::Rank, stack_pointer))},
    {"task.gs_base", thrum::number(offsetof(thrum::Rank, gs_base))},
    {"task.thread_id", thrum::number(offsetof(thrum::Rank, os_thread_id))},
    {"task.blocking_call", thrum::number(offsetof(thrum::Rank, blocking_call))},
    {"worker.index", thrum::number(thrum::Worker::offset_of_index())},
    {"worker.thread_id", thrum::number(thrum::Worker::offset_of_thread_id())},
    {"call.function", thrum::number(offsetof(thrum::Rank, call.function))},
    {"call.blockage", thrum::number(offsetof(thrum::Rank, call.blockage))},
    {"blockage.kind", thrum::number(offsetof(thrum::Blockage, kind))},
    {"blockage.peer", thrum::number(offsetof(thrum::Blockage, peer))},
    {"blockage.tag", thrum::number(offsetof(thrum::Blockage, tag))},
    {"blockage.communicator", thrum::number(offsetof(thrum::Blockage, communicator))},
    {"blockage.request_count", thrum::number(offsetof(thrum::Blockage, request_count))},
    {"any_source", thrum::number(static_cast<size_t>(MPI_ANY_SOURCE))},
    {"any_tag", thrum::number(static_cast<size_t>(MPI_ANY_TAG))},
    {"communicator.name", thrum::number(offsetof(MPI_ABI_Comm, name))},
    {"communicator.name_bytes", thrum::number(MPI_MAX_OBJECT_NAME)},
    {"image.deltas", thrum::number(thrum::image_deltas_offset())},
    {"image.program", thrum::number(thrum::image_program_offset())},
    {"debugged_objects", &thrum::debugged_objects},
    {"debugged_object_bytes", thrum::number(sizeof(thrum::DebuggedObject))},
    {"published_ranks", &thrum::published_ranks},
    {"state_names", thrum::state_names},
    {"blockage_names", thrum::blockage_names},
    {"function_names", thrum::function_names},
    {"call.call_site", thrum::number(offsetof(thrum::Rank, call.call_site))},
    {nullptr, nullptr},
};
}
