// Process: the MPI state of one rank (MPI's word for what a rank is). Made for all ranks before the
// first of them starts, so that a message can be sent to a rank that has not called MPI_Init yet.
//
// All Process objects are neighbours in one block of memory, in the order of world ranks: the group
// of MPI_COMM_WORLD is the address of the first and their number.
#pragma once
#include "comm/communicator.h"
#include "comm/object_pool.h"
#include "match/mailbox.h"
#include "rank/rank.h"

#include <atomic>

namespace thrum {

enum class ProcessState : uint8_t { Created, Initialized, Finalized };

struct ErrorCodes;     // comm/error_codes.h
struct AttachedBuffer; // pt2pt/buffered.h: MPI_Buffer_attach
struct TypeAttributes; // comm/attributes.h
struct RequestPool;    // pt2pt/request_pool.h
struct ToolInterface;  // mpi/tool.h
struct FortranProgram; // fortran/sentinels.h
struct FileDefaults;   // io/file_defaults.h

struct Process {
    Rank *rank = nullptr; // nullptr until bind_process()
    int number = 0;       // world rank
    // Written by the rank; read by peers' reports.
    std::atomic<ProcessState> state{ProcessState::Created};
    int thread_level = MPI_THREAD_SINGLE;
    size_t eager_bytes_max = settings().eager_bytes_max; // of messages that this rank sends
    Mailbox mailbox;               // match/mailbox.h: posted receives, unexpected messages
    Communicator *world = nullptr; // MPI_COMM_WORLD and MPI_COMM_SELF of this rank
    Communicator *self = nullptr;
    Info *environment = nullptr;               // MPI_INFO_ENV; made when first asked for
    ErrorCodes *error_codes = nullptr;         // MPI_Add_error_class ...; nullptr: none were added
    TypeAttributes *type_attributes = nullptr; // of predefined datatypes
    AttachedBuffer *attached = nullptr;
    std::atomic<RequestPool *> requests{nullptr};       // made when first needed
    const FortranProgram *fortran = nullptr;            // where its constants are; the rank's own
    std::atomic<FileDefaults *> file_defaults{nullptr}; // made when first needed
    std::atomic<ToolInterface *> tools{nullptr};        // made by the first MPI_T_init_thread

    int world_rank() const { return number; }
};

inline Process &current_process() {
    return *current_rank().process;
}

// Makes the Process objects of all ranks, and what MPI_COMM_WORLD and MPI_COMM_SELF are. Called
// before any rank runs; unit tests call run_processes() of comm/testing.h. Called again (by tests),
// it first frees what the last call made.
void create_processes(int world_size);
// Joins a rank with its Process: process_at(rank.world_rank).
Process &bind_process(Rank &rank);
Process &process_at(int world_rank);
int process_count();

// The recorder of a rank; made now if there is none yet.
Recorder &recorder_of(Process &process);

// How a rank's FileDefaults are freed (nullptr is fine): the layer io says so in a constructor of
// its own.
void set_forget_file_defaults_function(void (*function)(FileDefaults *defaults));

// The communicator of a handle, as the calling rank sees it; nullptr if it is null, freed or not a
// communicator. On the message path, hence inline.
inline Communicator *find_communicator(MPI_Comm handle) {
    if (handle == MPI_COMM_WORLD)
        return current_process().world;
    if (is_live(handle)) [[likely]]
        return handle;
    return handle == MPI_COMM_SELF ? current_process().self : nullptr;
}

// The handle by which the rank that owns `comm` knows it.
inline MPI_Comm handle_of(Communicator &comm) {
    return &comm == comm.process->world  ? MPI_COMM_WORLD
           : &comm == comm.process->self ? MPI_COMM_SELF
                                         : &comm;
}

} // namespace thrum

inline thrum::Process &MPI_ABI_Group::operator[](int rank) const {
    return first ? first[rank] : *members[static_cast<size_t>(rank)];
}

inline thrum::Process &MPI_ABI_Comm::peer(int peer_rank) const {
    return (*remote_group)[peer_rank];
}
