// The table of processes, and the communicators that every program starts with.
#include "comm/process.h"

#include "base/tools.h"
#include "comm/attributes.h"
#include "comm/error_codes.h"
#include "comm/info.h"

#include <cstdio>
#include <memory>
#include <sys/mman.h>

namespace thrum {
namespace {

// Written by create_processes() before any rank runs, then read only.
Process *processes = nullptr;
int count = 0;
Group *world_group = nullptr;
void (*forget_file_defaults)(FileDefaults *) = nullptr;

Process *map_table(int size) {
    // From the kernel, not malloc: pages of zeroes, page-aligned, and no copy of a huge block.
    void *memory = ::mmap(nullptr, sizeof(Process) * static_cast<size_t>(size),
                          PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        die(1, "out of memory for the MPI state of %d ranks (%zu bytes each)", size,
            sizeof(Process));
    add_leak_check_root(memory, sizeof(Process) * static_cast<size_t>(size));
    return static_cast<Process *>(memory);
}

void free_processes() {
    for (int i = 0; i < count; ++i) {
        Process &process = processes[i];
        release(*process.self);
        release(*process.world);
        delete_info(process.environment);
        delete process.error_codes;
        forget_type_attributes(process.type_attributes);
        if (forget_file_defaults)
            forget_file_defaults(process.file_defaults.load(std::memory_order_relaxed));
        delete process.mailbox.recorder.load(std::memory_order_relaxed);
        std::destroy_at(&process);
    }
    release(*world_group);
    ::munmap(processes, sizeof(Process) * static_cast<size_t>(count));
    processes = nullptr;
    count = 0;
}

} // namespace

void set_forget_file_defaults_function(void (*function)(FileDefaults *defaults)) {
    forget_file_defaults = function;
}

void create_processes(int world_size) {
    CHECK(world_size > 0);
    if (processes)
        free_processes();
    processes = map_table(world_size);
    count = world_size;
    std::vector<Process *> members(static_cast<size_t>(world_size));
    for (int i = 0; i < world_size; ++i) {
        members[static_cast<size_t>(i)] = new (&processes[i]) Process;
        processes[i].number = i;
    }
    world_group = new_group(std::move(members));
    Context *world_context = new_context(world_size);
    for (int i = 0; i < world_size; ++i) {
        Process &process = processes[i];
        process.world = new_communicator(process, *world_context, *world_group, i);
        std::snprintf(process.world->name, sizeof process.world->name, "MPI_COMM_WORLD");
        Group *self_group = new_group({&process});
        process.self = new_communicator(process, *new_context(1), *self_group, 0);
        release(*self_group); // the communicator has its own reference
        std::snprintf(process.self->name, sizeof process.self->name, "MPI_COMM_SELF");
    }
}

Process &bind_process(Rank &rank) {
    Process &process = process_at(rank.world_rank);
    process.rank = &rank;
    rank.process = &process;
    return process;
}

Process &process_at(int world_rank) {
    CHECK(world_rank >= 0 && world_rank < count, "world rank %d of %d", world_rank, count);
    return processes[world_rank];
}

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
    return count;
}

} // namespace thrum
