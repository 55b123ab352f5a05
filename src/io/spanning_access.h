// A collective access of ranks in several node processes (docs/between_processes.md). Its shape is
// that of exchange/process_part.h: the ranks of a process come together, the last one has all
// accesses and speaks for the process with the others, by packets, in a coroutine.
//
//   1. extents and touched chunks of all accesses are exchanged: all processes make the same plan
//   2. not worth it: each rank does its own access. Else chunk after chunk, dealt out to the
//      aggregators (processes) in turn:
//          each process that touches it --request--> its aggregator
//                                       <--answer--
//      a request is a description of pieces, with data to be written; an answer has what was read.
//      A process sends the requests of the next chunk of each aggregator before it awaits the
//      answers of this one: no more of its data are under way.
//   3. results are exchanged: an error of one is everybody's
#pragma once
#include "base/may_suspend.h"
#include "exchange/process_tree.h"
#include "io/access.h"

#include <vector>

namespace thrum {

// What is wrong where some ranks of a non-blocking access read and others write.
inline constexpr char mixed_sentence[] =
    "some ranks call MPI_File_iread_all or MPI_File_iread_at_all, others MPI_File_iwrite_all or "
    "MPI_File_iwrite_at_all";

struct SpanningAccess {
    OpenFile &file;
    Collective collective; // None: a non-blocking one
    bool writing;
    std::vector<Access *> accesses{}; // of ranks here that move anything
    SharedError fault{};              // what ranks here disagree about; then: of the call, for all
    bool by_aggregators = false;      // all has been done; else each rank does its own
    TransferResult result{};          // of all processes, if so
};

// The packets of one access. `number` from next_spanning_number().
struct AccessJoint {
    AccessJoint(Communicator &comm, int number, bool blocking);
    SharedError fault() const; // what has ended the access before its time
    ProcessPart requests;      // and what is collected
    Exchange answers;
};

// Blocking: everything on the stack of the caller, a task. Else data are moved on I/O threads.
Flow access_across_processes(AccessJoint &joint, SpanningAccess &access) MAY_SUSPEND;

// MPI_File_read_ordered and its kin: the places of the ranks of this process (by local member) are
// where the shared pointer would be after all ranks before them. The pointer moves on.
struct OrderedPlace {
    Offset etypes;
    Offset offset;
};

Flow place_across_processes(AccessJoint &joint, SpanningAccess &access,
                            std::vector<OrderedPlace> &places) MAY_SUSPEND;

} // namespace thrum
