// The table of processes, and the communicators that every program starts with.
#include "comm/process.h"

#include "base/settings.h"
#include "base/tools.h"
#include "comm/attributes.h"
#include "comm/errhandler.h"
#include "comm/error_codes.h"
#include "comm/info.h"
#include "comm/span.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <utility>

namespace thrum {
namespace {

// Written by create_processes() before any rank runs, then read only.
Process *processes = nullptr;
int first_count = 0; // of the ranks with which the job was started
int table_end = 0;   // numbers that there is room for
int local_begin = 0; // the first ones in this node process
int local_end = 0;
std::atomic<int> count{0}; // with those that were added
Group *world_group = nullptr;
void (*forget_file_defaults)(FileDefaults *) = nullptr;

size_t table_bytes() {
    return sizeof(Process) * static_cast<size_t>(table_end);
}

Process *map_table(int size) {
    // From the kernel, not malloc: pages of zeroes, page-aligned, and no copy of a huge block.
    void *memory = ::mmap(nullptr, table_bytes(), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        die(1, "out of memory for the MPI state of %d ranks (%zu bytes each)", size,
            sizeof(Process));
    add_leak_check_root(memory, sizeof(Process) * static_cast<size_t>(size));
    return static_cast<Process *>(memory);
}

void free_objects(Process &process) {
    for (Communicator **comm : {&process.parent, &process.self, &process.world})
        if (Communicator *old = std::exchange(*comm, nullptr))
            release(*old);
    delete_info(std::exchange(process.environment, nullptr));
    delete std::exchange(process.error_codes, nullptr);
    forget_type_attributes(process.type_attributes);
    if (forget_file_defaults)
        forget_file_defaults(process.file_defaults.exchange(nullptr, std::memory_order_relaxed));
    delete process.mailbox.recorder.exchange(nullptr, std::memory_order_relaxed);
}

void free_processes() {
    for (int i = local_begin; i < local_end; ++i) {
        free_objects(processes[i]);
        std::destroy_at(&processes[i]);
    }
    release(*world_group);
    ::munmap(processes, table_bytes());
    processes = nullptr;
    first_count = 0;
    count.store(0, std::memory_order_relaxed);
}

// What mpiexec -initial-errhandler asks for (section 11.5).
Errhandler *first_errhandler() {
    const char *name = settings().initial_errhandler;
    Errhandler *found = name ? find_predefined_errhandler(name) : nullptr;
    return found ? found : &errors_are_fatal;
}

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

void set_forget_file_defaults_function(void (*function)(FileDefaults *defaults)) {
    forget_file_defaults = function;
}

void create_processes(int world_size, int first_local, int local_count, int first_of_world) {
    CHECK(local_count > 0 && first_local >= first_of_world &&
              first_local + local_count <= first_of_world + world_size,
          "%d ranks from %d of %d from %d", local_count, first_local, world_size, first_of_world);
    if (processes)
        free_processes();
    const int world_end = first_of_world + world_size;
    const int before = first_of_world > 0 ? first_world_size() : world_size;
    table_end = before + added_ranks_max + added_processes_max;
    processes = map_table(before);
    first_count = before;
    count.store(world_end, std::memory_order_relaxed);
    std::vector<Process *> members(static_cast<size_t>(world_size));
    local_begin = first_local;
    local_end = first_local + local_count;
    for (int i = 0; i < before; ++i)
        processes[i].number = i; // all that is written of those elsewhere
    for (int i = first_of_world; i < world_end; ++i) {
        members[static_cast<size_t>(i - first_of_world)] = &processes[i];
        if (i >= local_begin && i < local_end)
            new (&processes[i]) Process;
        processes[i].number = i;
    }
    world_group = new_group(std::move(members));
    Context *world_context = local_count < world_size
                                 ? &spanning_context(world_spanning_id(), *world_group)
                                 : new_context(world_size);
    for (int i = local_begin; i < local_end; ++i) {
        make_communicators(processes[i], *world_context, *world_group, i - first_of_world);
    }
}

void set_initial_errhandler(Process &process, Errhandler &errhandler) {
    process.initial_errhandler = &errhandler; // predefined: needs no reference
    process.world->errhandler = process.self->errhandler = &errhandler;
    show_handler_to_launcher(errhandler);
}

void add_processes(Rank *const *ranks, size_t added_count) {
    std::vector<Process *> members;
    for (size_t i = 0; i < added_count; ++i) {
        int number = ranks[i]->world_rank;
        CHECK(number >= first_count && number < first_count + added_ranks_max);
        if (number == first_count && count.load(std::memory_order_relaxed) == first_count)
            add_leak_check_root(processes + first_count, sizeof(Process) * added_ranks_max);
        auto *process = new (&processes[number]) Process;
        process->number = number;
        process->rank = ranks[i];
        ranks[i]->process = process;
        members.push_back(process);
    }
    for (Process *process : members) {
        int seen = count.load(std::memory_order_relaxed);
        while (process->number >= seen &&
               !count.compare_exchange_weak(seen, process->number + 1, std::memory_order_release))
            ;
    }
    Group *group = new_group(members);
    Context *context = new_context(static_cast<int>(added_count));
    for (size_t i = 0; i < added_count; ++i)
        make_communicators(*members[i], *context, *group, static_cast<int>(i));
    release(*group);
}

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

// All of the first ranks come before those that were added, whose groups are counted.
void count_members(const Group &group, int change) {
    const Process *first_added = processes + first_count;
    if (group.first && group.first + group.size <= first_added)
        return;
    for (int rank = 0; rank < group.size; ++rank)
        if (Process &process = group[rank]; &process >= first_added) // release [process-1]
            process.groups.fetch_add(change, std::memory_order_release);
}

Process &bind_process(Rank &rank) {
    Process &process = process_at(rank.world_rank);
    process.rank = &rank;
    rank.process = &process;
    return process;
}

Process &process_at(int world_rank) {
    CHECK(world_rank >= 0 && world_rank < process_count(), "world rank %d of %d", world_rank,
          process_count());
    return processes[world_rank];
}

Process &known_process(int world_rank) {
    if (world_rank < first_count || world_rank < added_rank(0))
        return process_at(world_rank);
    static SpinLock lock; // of who writes numbers
    CHECK(world_rank < table_end, "world rank %d", world_rank);
    LockGuard guard(lock);
    Process &process = processes[world_rank];
    if (process.number == world_rank)
        return process;
    process.number = world_rank;
    int seen = count.load(std::memory_order_relaxed);
    while (world_rank >= seen &&
           !count.compare_exchange_weak(seen, world_rank + 1, std::memory_order_release))
        ;
    return process;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof" // GCC and Clang know it

Process &process_of(Mailbox &mailbox) {
    return *reinterpret_cast<Process *>(reinterpret_cast<char *>(&mailbox) -
                                        offsetof(Process, mailbox));
}

#pragma GCC diagnostic pop

Recorder &recorder_of(Process &process) {
    static SpinLock first_use; // two threads of a rank may both be the first
    auto *made = new Recorder;
    {
        LockGuard guard(first_use);
        if (!process.mailbox.recorder.load(std::memory_order_relaxed)) {
            // release [recorder-1]: it is constructed; pairs with the acquire of those who count.
            process.mailbox.recorder.store(made, std::memory_order_release);
            process.rank->recorder.store(made, std::memory_order_release);
            return *made;
        }
    }
    delete made;
    return *process.mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
}

int process_count() {
    return count.load(std::memory_order_acquire);
}

namespace {

// Under models_lock.
void note_activity(Process &process) {
    process.active.store(process.valid_world ||
                             process.sessions.load(std::memory_order_relaxed) > 0,
                         std::memory_order_relaxed);
}

} // namespace

bool begin_world(Process &process) {
    LockGuard guard(process.models_lock);
    if (process.state.load(std::memory_order_relaxed) != ProcessState::Created)
        return false;
    process.thread_level = MPI_THREAD_MULTIPLE; // section 11.6.2: whatever was asked for
    process.valid_world = process.world;
    process.valid_self = process.self;
    process.state.store(ProcessState::Initialized, std::memory_order_relaxed);
    note_activity(process);
    return true;
}

void end_world(Process &process) {
    LockGuard guard(process.models_lock);
    process.valid_world = process.valid_self = nullptr;
    process.state.store(ProcessState::Finalized, std::memory_order_relaxed);
    note_activity(process);
}

int count_session(Process &process, int change) {
    LockGuard guard(process.models_lock);
    int sessions = process.sessions.load(std::memory_order_relaxed) + change;
    process.sessions.store(sessions, std::memory_order_relaxed);
    process.had_sessions.store(true, std::memory_order_relaxed);
    process.thread_level = MPI_THREAD_MULTIPLE; // a session always provides it
    note_activity(process);
    return sessions;
}

} // namespace thrum
