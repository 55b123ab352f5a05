// Collective: which collective operation a member calls, its name in messages, and the counts for
// tools.
#pragma once
#include "comm/communicator.h"
#include "trace/recorder.h"

#include <cstdint>

namespace thrum {

// The operation that a member performs. Members compare it to detect mismatched calls.
enum class Collective : uint8_t {
    None,
    Communicator, // creating a communicator
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
    WindowCreation, // chapter 12 of the standard
    WindowFence,
    WindowEnd,
    FileOpen, // from here to FileWriteOrderedBegin: operations on files
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
    // The layer acl uses the two values before this one.
    ContextId = FileWriteOrderedBegin + 3, // of a duplicate that spans node processes
    Disconnect,
    Finalize,
};

// How an operation is called. Initialisations of persistent operations are matched among
// themselves, and so are their starts.
enum CallForm : int { BlockingForm, NonblockingForm, InitForm, PersistentForm };

const char *collective_name(Collective collective,
                            CallForm form = BlockingForm); // "MPI_Bcast", "MPI_Ibcast"

// Tells tools that the calling rank begins a collective operation.
[[gnu::cold]] void record_collective(const Communicator &comm);

inline void count_collective(const Communicator &comm) {
    if (somebody_listens()) [[unlikely]]
        record_collective(comm);
}

} // namespace thrum
