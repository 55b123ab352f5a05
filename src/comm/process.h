// Process: the MPI state of one rank (MPI's word for what a rank is). It is made for all ranks
// before the first of them starts. So a message can be sent to a rank that has not called MPI_Init
// yet.
//
// All Process objects are adjacent in one block of memory, in the order of world ranks. The group
// of MPI_COMM_WORLD is therefore just the address of the first and their number.
#pragma once
#include "base/object_pool.h"
#include "base/tools.h"
#include "comm/communicator.h"
#include "match/mailbox.h"
#include "rank/rank.h"
#include "wireup/wireup.h"

#include <atomic>
#include <iterator>

namespace thrum {

// Progress of the World Model (MPI 5.0 section 11.2): whether MPI_Init and MPI_Finalize have been
// called.
enum class ProcessState : uint8_t { Created, Initialized, Finalized };

struct ErrorCodes;     // comm/error_codes.h
struct TypeAttributes; // comm/attributes.h

// What is asked at the begin of a call.
enum class Admission : uint8_t {
    Asked,   // whether it may be made: whether is_unfinished(), and by this thread
    Watched, // who makes it, because looks_at_all_calls(); it may be made
    Free,    // nothing
};

// The MPI state of one rank. In another node process's table entry only `number` has a meaning.
// Layers above keep what they need as extensions.
struct Process {
    Rank *rank = nullptr;       // nullptr before bind_process(), and for remote processes
    int number = 0;             // number of its rank in the job: Rank::world_rank
    std::atomic<int> groups{0}; // groups that it belongs to; counted only for added processes
    // This and the next three are written under `models_lock` and read by all.
    std::atomic<Admission> admission{Admission::Asked};
    std::atomic<ProcessState> state{ProcessState::Created};
    std::atomic<bool> had_sessions{false};
    std::atomic<int> sessions{0}; // number of live sessions
    SpinLock models_lock;
    // By SendingModel: it sends no more messages. Guarded by the lock of pt2pt/departure.cc.
    bool has_departed[2] = {};
    int thread_level = MPI_THREAD_SINGLE; // given to the program
    // The thread that has called MPI_Init (section 11.6.2: the main thread); nullptr: none has yet.
    std::atomic<const RankThread *> main_thread{nullptr};
    // eager limit of messages that this rank sends
    size_t eager_bytes_max = settings().eager_bytes_max;
    // Open trays that this rank has found, by the lowest bits of the receiver's rank.
    std::atomic<Tray *> trays[4] = {};
    Mailbox mailbox;               // match/mailbox.h: posted receives, unexpected messages
    Communicator *world = nullptr; // MPI_COMM_WORLD and MPI_COMM_SELF of this rank
    Communicator *self = nullptr;
    // The same while the World Model is active, else nullptr: what the predefined handles mean
    // (section 11.1).
    Communicator *valid_world = nullptr;
    Communicator *valid_self = nullptr;
    // The initial error handler: MPI_ERRORS_ARE_FATAL unless the rank was started with another one
    // (section 11.2.1).
    Errhandler *initial_errhandler = nullptr;
    bool has_set_self_handler = false;         // the program has set the one of MPI_COMM_SELF
    std::atomic<bool> is_closed{false};        // close_process(): its rank is being ended
    Info *environment = nullptr;               // MPI_INFO_ENV; allocated when first asked for
    ErrorCodes *error_codes = nullptr;         // MPI_Add_error_class ...; nullptr: none were added
    TypeAttributes *type_attributes = nullptr; // of predefined datatypes
    Communicator *parent = nullptr; // MPI_Comm_get_parent; nullptr: not spawned, or freed
    static constexpr int extensions_max = 14;
    Extensions<Process, extensions_max> extensions; // of layers above

    int world_rank() const { return number; }

    std::atomic<Tray *> &tray_of(int dest) {
        return trays[static_cast<unsigned>(dest) % std::size(trays)];
    }
};

// Returns the process of the calling rank, also in its other threads.
inline Process &current_process() {
    return *current_rank().process;
}

// Returns whether the rank is in another node process. Valid for ranks that are bound, or when the
// job has other processes.
inline bool is_remote(const Process &process) {
    return has_other_processes() && !process.rank;
}

// Returns the process of an initial rank, or of one that was added as a thread. Ends the process if
// the number is out of range.
Process &process_at(int world_rank);
// Returns the process of any rank of the job, including added processes.
Process &known_process(int world_rank);
// Returns the process that owns a mailbox.
Process &process_of(Mailbox &mailbox);
// Returns the end of the numbers in use, including those of added processes.
int process_count();

// Make calls look at what makes them (inspect/python_interpreter.h), in processes that initialise
// MPI after this; ask whether they do.
void look_at_all_calls();

namespace detail {

// Written by look_at_all_calls(). Hidden, so that calls read it directly.
[[gnu::visibility("hidden")]] extern std::atomic<bool> all_calls_are_looked_at;

} // namespace detail

// Under ThreadSanitizer every call is looked at (WatchedCall of base/tools.h).
inline bool looks_at_all_calls() {
    return has_thread_sanitizer || detail::all_calls_are_looked_at.load(std::memory_order_relaxed);
}

// Apply MPI_Init and MPI_Finalize to what may be called. begin_world() returns false if the World
// Model was begun before. Any thread of the rank. The level given is MPI_THREAD_MULTIPLE, but
// `required` if the uses that the standard forbids are errors (mpiexec --check).
bool begin_world(Process &process, int required);
void end_world(Process &process);
// Makes all further calls fail quietly, because the rank of a run is being ended
// (rank/contained.h).
void close_process(Process &process);
// Counts a session that begins (+1) or ends (-1). Returns the number of live ones.
int count_session(Process &process, int change);

// Returns whether the process has begun something that it has not ended: MPI_Init without
// MPI_Finalize, or a session.
inline bool is_unfinished(const Process &process) {
    return process.state.load(std::memory_order_relaxed) == ProcessState::Initialized ||
           process.sessions.load(std::memory_order_relaxed) > 0;
}

// Returns whether it has ever used MPI.
inline bool has_begun(const Process &process) {
    return process.state.load(std::memory_order_relaxed) != ProcessState::Created ||
           process.had_sessions.load(std::memory_order_relaxed);
}

// Returns the recorder of a rank, and allocates it if there is none yet.
Recorder &recorder_of(Process &process);

// Returns the communicator of a handle, as the calling rank sees it; nullptr if it is null, freed
// or not a communicator. Inline because it is on the message path.
inline Communicator *find_communicator(MPI_Comm handle) {
    if (handle == MPI_COMM_WORLD)
        return current_process().valid_world;
    if (is_live(handle)) [[likely]]
        return handle;
    return handle == MPI_COMM_SELF ? current_process().valid_self : nullptr;
}

// Returns the handle by which the rank that owns `comm` knows it.
inline MPI_Comm handle_of(Communicator &comm) {
    return &comm == comm.process->world  ? MPI_COMM_WORLD
           : &comm == comm.process->self ? MPI_COMM_SELF
                                         : &comm;
}

} // namespace thrum
