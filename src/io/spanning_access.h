// A collective access of ranks in several node processes (docs/between_processes.md). Its shape is
// that of exchange/process_part.h: the ranks of a process meet; the last one has all accesses and
// communicates for the process with the others, in a coroutine.
//
//   1. extents and touched chunks of all accesses are exchanged: all processes make the same plan
//   2. not worth aggregating: each rank does its own access. Else chunk after chunk, dealt out to
//      the aggregators (processes) in turn:
//          each process that touches it --request--> its aggregator
//                                       <--answer--
//      a request describes pieces, and carries data to be written; an answer has what was read.
//      A process sends the requests of the next chunk of each aggregator before it awaits the
//      answers of this one: no more of its data are in transit.
//   3. results are exchanged: everybody gets an error of one
#pragma once
#include "base/may_suspend.h"
#include "exchange/process_tree.h"
#include "io/access.h"

#include <vector>

namespace thrum {

// The error if some ranks of a non-blocking access read and others write.
inline constexpr char mixed_sentence[] =
    "some ranks call MPI_File_iread_all or MPI_File_iread_at_all, others MPI_File_iwrite_all or "
    "MPI_File_iwrite_at_all";

// One collective access, as one process sees it. Lives until the flow has ended.
struct SpanningAccess {
    OpenFile &file;
    Collective collective; // None: a non-blocking one
    bool writing;
    std::vector<Access *> accesses{}; // of ranks in this process, those that move anything
    SharedError fault{}; // what ranks here disagree about; at the end, the error of the call
    bool by_aggregators = false; // result: all data are moved; else each rank moves its own
    TransferResult result{};     // merged from all processes, if by_aggregators
};

// The exchanges of one access. `number` is from next_spanning_number(). `blocking`: the flow runs
// on the caller's stack.
struct AccessJoint {
    AccessJoint(Communicator &comm, int number, bool blocking);
    // Returns the fault that ended the exchanges early (a lost process, for example).
    SharedError fault() const;
    ProcessPart requests; // also carries what all processes collect
    Exchange answers;
};

// Does the access. A blocking one moves data on the calling task, any other on I/O threads.
Flow access_across_processes(AccessJoint &joint, SpanningAccess &access) MAY_SUSPEND;

// The place of one rank in MPI_File_read_ordered or _write_ordered, in etypes.
struct OrderedPlace {
    Offset etypes; // size of its access
    Offset offset; // result: where it begins
};

// Sets the offsets of the ranks of this process (`places`, by local member): where the shared
// pointer would be after all lower ranks. Moves the pointer behind the last.
Flow place_across_processes(AccessJoint &joint, SpanningAccess &access,
                            std::vector<OrderedPlace> &places) MAY_SUSPEND;

} // namespace thrum
