// Process: the MPI state of one rank (MPI's word for what a rank is). Made for all ranks before the
// first of them starts, so that a message can be sent to a rank that has not called MPI_Init yet.
//
// All Process objects are neighbours in one block of memory, in the order of world ranks: the group
// of MPI_COMM_WORLD is the address of the first and their number.
#pragma once
#include "base/object_pool.h"
#include "comm/communicator.h"
#include "match/mailbox.h"
#include "rank/rank.h"
#include "wireup/wireup.h"

#include <atomic>

namespace thrum {

// Of the World Model (MPI 5.0 section 11.2): whether MPI_Init and MPI_Finalize have been called.
enum class ProcessState : uint8_t { Created, Initialized, Finalized };

struct ErrorCodes;     // comm/error_codes.h
struct AttachedBuffer; // pt2pt/buffered.h: MPI_Buffer_attach
struct TypeAttributes; // comm/attributes.h
struct RequestPool;    // pt2pt/request_pool.h
struct ToolInterface;  // mpi/tool.h
struct FortranProgram; // fortran/sentinels.h
struct FileDefaults;   // io/file_defaults.h

struct Process {
    Rank *rank = nullptr;       // nullptr until bind_process(), and of a remote process
    int number = 0;             // of its rank in the job: Rank::world_rank
    std::atomic<int> groups{0}; // that it is in; counted for added processes only
    // Whether MPI may be called: between MPI_Init and MPI_Finalize, and while a session lives. This
    // and the next three are written under `models_lock` and read by anybody.
    std::atomic<bool> active{false};
    std::atomic<ProcessState> state{ProcessState::Created};
    std::atomic<bool> had_sessions{false};
    std::atomic<int> sessions{0}; // that live
    SpinLock models_lock;
    // By SendingModel: no more messages come from it. Guarded by the lock of pt2pt/departure.cc.
    bool has_departed[2] = {};
    int thread_level = MPI_THREAD_SINGLE;
    size_t eager_bytes_max = settings().eager_bytes_max; // of messages that this rank sends
    Mailbox mailbox;               // match/mailbox.h: posted receives, unexpected messages
    Communicator *world = nullptr; // MPI_COMM_WORLD and MPI_COMM_SELF of this rank
    Communicator *self = nullptr;
    // The same while the World Model is active, else nullptr: what those handles mean (section
    // 11.1).
    Communicator *valid_world = nullptr;
    Communicator *valid_self = nullptr;
    // MPI_ERRORS_ARE_FATAL if nothing else was asked for when the rank was started (section 11.2.1)
    Errhandler *initial_errhandler = nullptr;
    bool has_set_self_handler = false;         // the program, of MPI_COMM_SELF
    Info *environment = nullptr;               // MPI_INFO_ENV; made when first asked for
    ErrorCodes *error_codes = nullptr;         // MPI_Add_error_class ...; nullptr: none were added
    TypeAttributes *type_attributes = nullptr; // of predefined datatypes
    AttachedBuffer *attached = nullptr;
    std::atomic<RequestPool *> requests{nullptr}; // made when first needed
    Communicator *parent = nullptr; // MPI_Comm_get_parent; nullptr: was not spawned, or is freed
    const FortranProgram *fortran = nullptr;            // where its constants are; the rank's own
    std::atomic<FileDefaults *> file_defaults{nullptr}; // made when first needed
    std::atomic<ToolInterface *> tools{nullptr};        // made by the first MPI_T_init_thread

    int world_rank() const { return number; }
};

inline Process &current_process() {
    return *current_rank().process;
}

// Whether the rank is in another node process. Of ranks that are bound, or with other processes.
inline bool is_remote(const Process &process) {
    return has_other_processes() && !process.rank;
}

// The process of a rank that the job began with, or that was added as a thread.
Process &process_at(int world_rank);
// The same of any rank that there can be in the job: of a process that was added to it, too.
Process &known_process(int world_rank);
// The process whose mailbox it is.
Process &process_of(Mailbox &mailbox);
int process_count(); // numbers are below it

// MPI_Init and MPI_Finalize as far as they change what may be called. begin_world() returns false
// if the World Model has been begun before.
bool begin_world(Process &process);
void end_world(Process &process);
// A session comes (+1) or goes (-1). Returns how many live.
int count_session(Process &process, int change);

// Whether the process has begun something that it has not ended: MPI_Init without MPI_Finalize, or
// a session.
inline bool is_unfinished(const Process &process) {
    return process.active.load(std::memory_order_relaxed);
}

// Whether it has ever used MPI.
inline bool has_begun(const Process &process) {
    return process.state.load(std::memory_order_relaxed) != ProcessState::Created ||
           process.had_sessions.load(std::memory_order_relaxed);
}

// The recorder of a rank; made now if there is none yet.
Recorder &recorder_of(Process &process);

// The communicator of a handle, as the calling rank sees it; nullptr if it is null, freed or not a
// communicator. On the message path, hence inline.
inline Communicator *find_communicator(MPI_Comm handle) {
    if (handle == MPI_COMM_WORLD)
        return current_process().valid_world;
    if (is_live(handle)) [[likely]]
        return handle;
    return handle == MPI_COMM_SELF ? current_process().valid_self : nullptr;
}

// The handle by which the rank that owns `comm` knows it.
inline MPI_Comm handle_of(Communicator &comm) {
    return &comm == comm.process->world  ? MPI_COMM_WORLD
           : &comm == comm.process->self ? MPI_COMM_SELF
                                         : &comm;
}

} // namespace thrum
