// Process: the MPI state of one rank (MPI's word for what a rank is). Made for all ranks before the
// first of them starts, so that a message can be sent to a rank that has not called MPI_Init yet.
#pragma once
#include "comm/communicator.h"
#include "match/mailbox.h"
#include "rank/rank.h"

#include <atomic>

namespace thrum {

enum class ProcessState : uint8_t { Created, Initialized, Finalized };

struct AttachedBuffer; // pt2pt/buffered.h: MPI_Buffer_attach

struct Process {
    Rank *rank = nullptr;
    // Written by the rank; read by peers' reports.
    std::atomic<ProcessState> state{ProcessState::Created};
    int thread_level = MPI_THREAD_SINGLE;
    Mailbox mailbox;                 // match/mailbox.h: posted receives, unexpected messages
    Communicator *world = nullptr;   // MPI_COMM_WORLD and MPI_COMM_SELF of this rank
    Communicator *self = nullptr;
    Info *environment = nullptr;     // MPI_INFO_ENV
    AttachedBuffer *attached = nullptr;
    int world_rank() const { return rank->world_rank; }
};

inline Process &current_process() { return *current_rank().process; }

// Makes the Process objects of all ranks, and what MPI_COMM_WORLD shares. Called once, before any
// rank runs; the calling convention of unit tests is run_processes() in comm/testing.h.
void create_processes(int world_size);
Process &process_at(int world_rank);

} // namespace thrum
