// Collective: which collective operation a member calls, its name in messages, and the tools'
// counts.
#pragma once
#include "comm/communicator.h"
#include "trace/recorder.h"

#include <cstdint>

namespace thrum {

// What a member says it is doing, so that members that do different things are found out.
enum class Collective : uint8_t {
    None,
    Communicator, // making one
    CartCreate,
    CartSub,
    GraphCreate,
    DistGraphCreate,
    DistGraphCreateAdjacent,
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    WindowCreation, // chapter 12
    WindowFence,
    WindowEnd,
    FileOpen, // from here to FileWriteOrderedBegin: of files
    FileClose,
    FileSetView,
    FileSetSize,
    FilePreallocate,
    FileSetInfo,
    FileSetAtomicity,
    FileSync,
    FileSeekShared,
    FileReadAll, // also ..._at_all
    FileReadOrdered,
    FileWriteAll,
    FileWriteOrdered,
    FileReadAllBegin,
    FileReadAtAllBegin,
    FileReadOrderedBegin,
    FileWriteAllBegin,
    FileWriteAtAllBegin,
    FileWriteOrderedBegin,
    // The layer acl has the two before.
    ContextId = FileWriteOrderedBegin + 3, // of a duplicate that spans node processes
};

// Of a persistent operation its starts, and its initialisations, are matched by themselves.
enum CallForm : int { BlockingForm, NonblockingForm, InitForm, PersistentForm };

const char *collective_name(Collective collective,
                            CallForm form = BlockingForm); // "MPI_Bcast", "MPI_Ibcast"

// For tools: the calling rank begins a collective operation, or a round of one (meeting/round.h).
[[gnu::cold]] void record_collective(const Communicator &comm);
[[gnu::cold]] void record_round(const Communicator &comm);

inline void count_collective(const Communicator &comm) {
    if (somebody_listens()) [[unlikely]]
        record_collective(comm);
}

} // namespace thrum
