// The MPI environment (MPI 5.0 chapters 9 and 11): initialization and end, versions, time, memory.
// The state of a rank is comm/process.h; how a process joins and leaves a job of several is
// node_processes.h.
#include "base/settings.h"
#include "bsp/machine.h"
#include "coll/coll.h"
#include "comm/attributes.h"
#include "comm/errhandler.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/thread_level.h"
#include "entry/tolerance.h"
#include "exchange/process_part.h"
#include "fabric/allocation.h"
#include "fabric/fabric.h"
#include "image/refuse.h"
#include "inspect/crash.h"
#include "inspect/leaks.h"
#include "inspect/python_interpreter.h"
#include "inspect/symbols.h"
#include "lifecycle/node_processes.h"
#include "meeting/world_end.h"
#include "mpi/fortran_compiler.h"
#include "mpi/spawn.h"
#include "observe/event_log.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/request_pool.h"
#include "rank/contained.h"
#include "rank/job_end.h"
#include "rank/status_page.h"
#include "rank/vain_polls.h"
#include "record/outcomes.h"
#include "wireup/unlaunched_task.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thrum/annotate.h>
#include <unistd.h>

namespace thrum::mpi {
namespace {

constexpr char library_version[] =
    "Thrum 0.1.0, MPI 5.0 (standard ABI), ranks are threads of one process";

ProcessState state_of_caller() {
    return current_process().state.load(std::memory_order_relaxed);
}

// Begins the World Model. The other processes of the job are joined before anything else of MPI is
// used. Programs that cannot be part of the job are refused here, before they print "rank 0 of 1".
Error initialize(int required) MAY_SUSPEND {
    // Only the first call joins; a second MPI_Init fails below.
    if (has_other_processes() && state_of_caller() == ProcessState::Created)
        if (Error error = join_other_processes())
            return error;
    refuse_foreign_mpi();
    refuse_unlaunched_task();
    begin_outcomes();
    find_python();
    if (!settings().takes_over())
        take_crashes_from_fortran();
    if (begin_world(current_process(), required)) {
        let_children_be_jobs();
        return declare_fortran_compiler ? declare_fortran_compiler() : success;
    }
    return state_of_caller() == ProcessState::Initialized
               ? fail(MPI_ERR_OTHER, "MPI is already initialized")
               : fail(MPI_ERR_OTHER, "called after MPI_Finalize");
}

} // namespace

// The arguments are not used: mpiexec passes everything by other ways.
Error init(int *, char ***) {
    return initialize(MPI_THREAD_SINGLE);
}

// The level provided depends on `required` only with `mpiexec --check`; an invalid one is always an
// error.
Error init_thread(int *, char ***, int required, int *provided) {
    if (required != MPI_THREAD_SINGLE && required != MPI_THREAD_FUNNELED &&
        required != MPI_THREAD_SERIALIZED && required != MPI_THREAD_MULTIPLE)
        return fail(MPI_ERR_ARG, "required is %d, which is not a level of thread support",
                    required);
    if (Error error = initialize(required))
        return error;
    *provided = current_process().thread_level;
    return success;
}

Error initialized(int *flag) {
    *flag = state_of_caller() != ProcessState::Created;
    return success;
}

Error finalized(int *flag) {
    *flag = state_of_caller() == ProcessState::Finalized;
    return success;
}

// Ends the World Model (section 11.2) in this order: attributes, pending communication, the meeting
// of all ranks, and last this process's part in the job.
Error finalize() {
    Process &process = current_process();
    if (!process.valid_world) // only a session lives
        return state_of_caller() == ProcessState::Created
                   ? fail(MPI_ERR_OTHER, "called without MPI_Init")
                   : fail(MPI_ERR_OTHER, "called after MPI_Finalize");
    if (settings().is_strict())
        if (Error error = check_thread_of_end(current_rank_thread()))
            return error;
    // Section 11.2.4: first the attributes of MPI_COMM_SELF are deleted, latest set first; MPI
    // still works in their delete functions.
    if (Error error = delete_attributes(process.self->attributes, MPI_COMM_SELF))
        return error;
    if (Error error = delete_attributes(process.world->attributes, MPI_COMM_WORLD))
        return error;
    // Completes what the rank has left pending: buffered sends, freed requests.
    const Error unmatched =
        blame(*process.self, allow_cancelled(finish_requests_of_world(process)));
    // Messages of this rank may still have to be read from its memory, so it waits until all ranks
    // are here: by then every message has found its receive (section 11.2.2). A lost process
    // prevents nobody from finalizing. Only MPI_Finalize meets there, so nobody disagrees.
    if (process.world->size > 1) {
        AtWorldEnd at_end(process);
        (void)meet(*process.world, nullptr, Collective::Finalize);
        if (has_other_processes())
            fabric_catch_up(); // to the packets that were sent before
    }
    const Error wrong =
        unmatched ? unmatched : blame(*process.self, error_of_stray(*process.world));
    end_outcomes();
    const bool is_released = was_released(process); // others are elsewhere, and wait for this rank
    if (!wrong && !is_released)
        note_leaks_at_finalize(process);
    if (has_other_processes() && !is_released && !bsp::stays_after_mpi(*process.rank))
        leave_job(is_first_rank(current_rank()));
    end_world(process);
    if (!wrong && !is_released)
        report_leaks_at_finalize();
    return wrong;
}

// Without the World Model it is the first thread of the rank.
Error is_thread_main(int *flag) {
    const RankThread &self = current_rank_thread();
    const RankThread *caller_of_init =
        self.rank->process->main_thread.load(std::memory_order_relaxed);
    *flag = &self == (caller_of_init ? caller_of_init : self.rank);
    return success;
}

Error query_thread(int *provided) {
    *provided = current_process().thread_level;
    return success;
}

// Ends all ranks of the job, whatever `comm` is.
Error abort(Communicator &comm, int errorcode) {
    char place[512];
    const RankThread &self = current_rank_thread();
    claim_end();
    if (!contained_caller()) // ends alone
        announce_end_of_job();
    report("rank %d: MPI_Abort(%s, %d) (at %s)", self.rank->world_rank,
           *comm.name ? comm.name : "communicator", errorcode,
           describe_call_site(self.call.call_site.load(std::memory_order_relaxed), place,
                              sizeof place));
    // A process can return 0 to 255; a larger code must not look like success.
    int code = errorcode & 255;
    end_job(code == 0 && errorcode != 0 ? 1 : code);
}

Error get_version(int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return success;
}

Error get_library_version(char *version, int *resultlen) {
    *resultlen = std::snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "%s", library_version);
    return success;
}

// The host's name, the same for all ranks of the node.
Error get_processor_name(char *name, int *resultlen) {
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    if (::gethostname(host, sizeof host - 1) != 0)
        return fail(MPI_ERR_OTHER, "the host has no name that can be read");
    *resultlen = std::snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", host);
    return success;
}

// All processes of a node have this clock in common.
double wtime() {
    count_outside_look();
    timespec t;
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wtick() {
    return 1e-9;
}

// Controls the trace of the calling rank, if mpiexec --trace makes one: level 0 stops it, other
// levels continue it, and two levels of our own begin and end a region (thrum/annotate.h).
// Otherwise it does nothing; profiling tools replace it (section 15.2.4).
int pcontrol(const int level, ...) {
    if (!observe::logs_events()) [[likely]]
        return MPI_SUCCESS;
    RankThread &self = current_rank_thread();
    const int rank = self.rank->world_rank;
    if (level == THRUM_REGION_BEGIN) {
        va_list arguments;
        va_start(arguments, level);
        const char *name = va_arg(arguments, const char *);
        va_end(arguments);
        observe::log_region_begin(self.observed, rank, name ? name : "");
    } else if (level == THRUM_REGION_END) {
        observe::log_region_end(self.observed, rank);
    } else {
        observe::pause_log(self.observed, rank, level == 0);
    }
    return MPI_SUCCESS;
}

// Large memory comes from the fabric if possible, so that other processes of the node can map it
// and read messages from it directly. Small memory comes from the rank's heap.
Error alloc_mem(MPI_Aint size, Info *info, void *baseptr) {
    if (!baseptr)
        return fail(MPI_ERR_ARG, "baseptr is a null pointer");
    if (size < 0)
        return fail(MPI_ERR_ARG, "size is %ld, but must not be negative", static_cast<long>(size));
    size_t alignment = 64; // a cache line
    const std::string *asked = info ? info->get("mpi_minimum_memory_alignment") : nullptr;
    if (asked) {
        char *end = nullptr;
        bool begins_with_digit = (*asked)[0] >= '0' && (*asked)[0] <= '9';
        // strtoull() would accept a sign and spaces.
        size_t value = begins_with_digit ? std::strtoull(asked->c_str(), &end, 10) : 0;
        if (!value || *end || (value & (value - 1)) != 0)
            return fail(
                MPI_ERR_INFO_VALUE,
                "mpi_minimum_memory_alignment of info is \"%s\", but must be a power of two",
                asked->c_str());
        alignment = std::max(alignment, value);
    }
    // Messages up to the eager limit are copied anyway.
    void *memory = static_cast<size_t>(size) > settings().eager_bytes_max
                       ? fabric_allocate(static_cast<size_t>(size), alignment)
                       : nullptr;
    if (!memory && ::posix_memalign(&memory, alignment, size ? static_cast<size_t>(size) : 1) != 0)
        return fail(MPI_ERR_NO_MEM, "cannot allocate %ld bytes", static_cast<long>(size));
    *static_cast<void **>(baseptr) = memory;
    return success;
}

// The fabric recognizes its own memory; everything else is the heap's.
Error free_mem(void *base) {
    switch (fabric_release(base)) {
    case HeapRelease::Released:
        break;
    case HeapRelease::NotFromHere:
        std::free(base);
        break;
    case HeapRelease::NotInUse:
        return fail(MPI_ERR_BASE,
                    "base is %p, which was not returned by MPI_Alloc_mem, or has been freed", base);
    }
    return success;
}

} // namespace thrum::mpi
