// Creates the table of processes, and the communicators that every program starts with. The table
// is one mapping with room for all ranks that may ever be in the job; memory is only used for the
// pages that are touched.
//
//   0 ... first_count        initial ranks of the job; those of this process are constructed
//   first_count ...          ranks added to this process (rank/added.h)
//   added_rank(0) ...        processes added to the job (known_process() in process.cc)
#include "comm/process_lifecycle.h"

#include "base/settings.h"
#include "base/tools.h"
#include "comm/attributes.h"
#include "comm/communicator_lifecycle.h"
#include "comm/error_codes.h"
#include "comm/group.h"
#include "comm/info.h"
#include "comm/process_table.h"
#include "comm/span.h"
#include "fiber/places.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <utility>

namespace thrum {
namespace {

Group *world_group = nullptr; // of MPI_COMM_WORLD; shared by all ranks here

size_t table_bytes() {
    return sizeof(Process) * static_cast<size_t>(the_processes.end);
}

Process *map_table(int size) {
    // Maps the memory instead of using malloc: zeroed, page-aligned, and only touched pages cost
    // memory.
    void *memory = ::mmap(nullptr, table_bytes(), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        die(1, "out of memory for the MPI state of %d ranks (%zu bytes each)", size,
            sizeof(Process));
    add_leak_check_root(memory, sizeof(Process) * static_cast<size_t>(size));
    return static_cast<Process *>(memory);
}

// Frees what a process owns, but not the process: others may still refer to it.
void free_objects(Process &process) {
    for (Communicator **comm : {&process.parent, &process.self, &process.world})
        if (Communicator *old = std::exchange(*comm, nullptr))
            release(*old);
    delete_info(std::exchange(process.environment, nullptr));
    delete std::exchange(process.error_codes, nullptr);
    forget_type_attributes(process.type_attributes);
    process.extensions.destroy();
    delete process.mailbox.recorder.exchange(nullptr, std::memory_order_relaxed);
}

void free_processes() {
    for (int i = the_processes.local_begin; i < the_processes.local_end; ++i) {
        free_objects(the_processes.processes[i]);
        std::destroy_at(&the_processes.processes[i]);
    }
    release(*world_group);
    ::munmap(the_processes.processes, table_bytes());
    the_processes.processes = nullptr;
    the_processes.first_count = 0;
    the_processes.count.store(0, std::memory_order_relaxed);
}

// Returns the error handler requested by mpiexec -initial-errhandler (section 11.5).
Errhandler *first_errhandler() {
    const char *name = settings().initial_errhandler;
    Errhandler *found = name ? find_predefined_errhandler(name) : nullptr;
    return found ? found : &errors_are_fatal;
}

// Makes MPI_COMM_WORLD and MPI_COMM_SELF of a process, which is rank `rank` of its world.
void make_communicators(Process &process, Context &world_context, Group &group, int rank) {
    process.world = new_communicator(process, world_context, group, rank);
    std::snprintf(process.world->name, sizeof process.world->name, "MPI_COMM_WORLD");
    Group *self_group = new_group({&process});
    process.self = new_communicator(process, *new_context(1), *self_group, 0);
    release(*self_group); // the communicator has its own reference
    std::snprintf(process.self->name, sizeof process.self->name, "MPI_COMM_SELF");
    set_initial_errhandler(process, *first_errhandler());
}

} // namespace

// Reserves the table for all ranks that can ever be in the job, but constructs only those of this
// process: the others cost a number each.
void create_processes(int world_size, int first_local, int local_count, int first_of_world) {
    CHECK(local_count > 0 && first_local >= first_of_world &&
              first_local + local_count <= first_of_world + world_size,
          "%d ranks from %d of %d from %d", local_count, first_local, world_size, first_of_world);
    if (the_processes.processes)
        free_processes();
    const int world_end = first_of_world + world_size;
    const int before = first_of_world > 0 ? first_world_size() : world_size;
    the_processes.end = before + added_ranks_max + added_processes_max;
    the_processes.processes = map_table(before);
    the_processes.first_count = before;
    the_processes.count.store(world_end, std::memory_order_relaxed);
    std::vector<Process *> members(static_cast<size_t>(world_size));
    the_processes.local_begin = first_local;
    the_processes.local_end = first_local + local_count;
    for (int i = 0; i < before; ++i)
        if (i < first_local || i >= first_local + local_count)
            the_processes.processes[i].number = i; // the only field set for processes elsewhere
    NodeVisits visits;
    for (int i = first_of_world; i < world_end; ++i) {
        members[static_cast<size_t>(i - first_of_world)] = &the_processes.processes[i];
        if (i >= the_processes.local_begin && i < the_processes.local_end) {
            visits.visit(i - first_local, local_count);
            new (&the_processes.processes[i]) Process;
        }
        the_processes.processes[i].number = i;
    }
    world_group = new_group(std::move(members));
    Context *world_context = local_count < world_size
                                 ? &spanning_context(world_spanning_id(), *world_group)
                                 : new_context(world_size);
    for (int i = the_processes.local_begin; i < the_processes.local_end; ++i) {
        visits.visit(i - first_local, local_count);
        make_communicators(the_processes.processes[i], *world_context, *world_group,
                           i - first_of_world);
    }
}

void set_initial_errhandler(Process &process, Errhandler &errhandler) {
    process.initial_errhandler = &errhandler; // predefined: needs no reference
    process.world->errhandler = process.self->errhandler = &errhandler;
    show_handler_to_launcher(errhandler);
}

// `count` is raised only after the objects are constructed, because other threads look up processes
// below it.
void add_processes(Rank *const *ranks, size_t added_count) {
    std::vector<Process *> members;
    std::unique_lock table(rank_table_mutex());
    for (size_t i = 0; i < added_count; ++i) {
        int number = ranks[i]->world_rank;
        CHECK(number >= the_processes.first_count &&
              number < the_processes.first_count + added_ranks_max);
        if (number == the_processes.first_count &&
            the_processes.count.load(std::memory_order_relaxed) == the_processes.first_count)
            add_leak_check_root(the_processes.processes + the_processes.first_count,
                                sizeof(Process) * added_ranks_max);
        auto *process = new (&the_processes.processes[number]) Process;
        process->number = number;
        process->rank = ranks[i];
        ranks[i]->process = process;
        members.push_back(process);
    }
    table.unlock();
    for (Process *process : members) {
        int seen = the_processes.count.load(std::memory_order_relaxed);
        // release [processes-1]: it is constructed.
        while (process->number >= seen && !the_processes.count.compare_exchange_weak(
                                              seen, process->number + 1, std::memory_order_release))
            ;
    }
    Group *group = new_group(members);
    Context *context = new_context(static_cast<int>(added_count));
    for (size_t i = 0; i < added_count; ++i)
        make_communicators(*members[i], *context, *group, static_cast<int>(i));
    release(*group);
}

// A process is destroyed only if no group refers to any of the ranks added together. Otherwise
// their memory stays: handles of other ranks may still lead there.
bool forget_processes(Rank *const *ranks, size_t added_count) {
    for (size_t i = 0; i < added_count; ++i)
        if (Process *process = ranks[i]->process; process && process->world)
            free_objects(*process);
    for (size_t i = 0; i < added_count; ++i) // acquire [process-1]
        if (ranks[i]->process && ranks[i]->process->groups.load(std::memory_order_acquire) > 0)
            return false;
    for (size_t i = 0; i < added_count; ++i)
        if (Process *process = std::exchange(ranks[i]->process, nullptr)) {
            std::destroy_at(process);
            std::memset(static_cast<void *>(process), 0, sizeof *process);
        }
    return true;
}

void abandon_processes(Rank *const *ranks, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (Process *process = std::exchange(ranks[i]->process, nullptr))
            std::memset(static_cast<void *>(process), 0, sizeof *process);
}

Process &bind_process(Rank &rank) {
    Process &process = process_at(rank.world_rank);
    process.rank = &rank;
    rank.process = &process;
    return process;
}

} // namespace thrum
