// Walks through the events of a job once, and tells a listener what they mean: calls with their
// messages and waits, regions, which rank runs on which worker. All traces and the timeline of a
// page are made from this.
#pragma once
#include "events.h"

#include <cstdint>
#include <string>
#include <vector>

namespace observation {

// One end of a message. Times are in ns since the first event of the job.
struct MessageEnd {
    int64_t ns;
    int peer; // number of the rank at the other end; no_rank: it is unknown
    int tag;
    uint32_t context;
    uint64_t size_bytes, id; // both ends have the same id
};

struct WaitSpan {
    int64_t begin_ns, end_ns;
    int64_t ready_ns; // the operation was complete from here on; no worker was free
    int cause_rank;   // that has ended it; no_rank: it is unknown
};

struct CallSpan {
    const TracedRank *rank;
    int thread; // of the rank, from 1 on
    int site;   // in EventReader::sites()
    int64_t begin_ns, end_ns;
    int64_t wait_ns;
    uint64_t group;      // the same for all calls of one collective operation; 0: none
    uint32_t members;    // of that operation
    uint32_t context;    // of its communicator; unique in a process, at one time
    bool spans;          // that communicator spans processes: then in the job
    int root, comm_rank; // -1: none, unknown
    std::vector<WaitSpan> waits;
    std::vector<MessageEnd> sent, received;
};

class TraceListener {
public:
    virtual ~TraceListener() = default;
    // Calls of a thread come in the order of time, also with regard to its regions.
    virtual void call(const CallSpan &call) = 0;

    // A call that has not ended: end_ns is that of the last event of the job.
    virtual void open_call(const CallSpan & /*call*/) {}

    // A message that the rank has received while it was in no call.
    virtual void received(const TracedRank & /*rank*/, const MessageEnd & /*end*/) {}

    // `name` is an index in EventReader::names(); -1: unknown.
    virtual void region_begin(const TracedRank & /*rank*/, int /*thread*/, int64_t /*ns*/,
                              int /*name*/) {}

    virtual void region_end(const TracedRank & /*rank*/, int /*thread*/, int64_t /*ns*/) {}

    virtual void queue(const TracedRank & /*rank*/, int64_t /*ns*/, uint32_t /*length*/) {}

    // The rank has run on the worker of its process, or at least no other rank of the job.
    virtual void ran(const TracedRank & /*rank*/, uint32_t /*worker*/, int64_t /*begin*/,
                     int64_t /*end*/) {}

    // Regions and calls that are still open end with the trace, at this moment.
    virtual void end(int64_t /*last_ns*/) {}

    // MPI_Pcontrol has stopped or continued the trace of the rank.
    virtual void paused(const TracedRank & /*rank*/, int64_t /*ns*/, bool /*is_paused*/) {}
};

// Calls of MPI_Pcontrol, by which regions begin and end, are not told.
void walk(const EventReader &events, TraceListener &listener);
// Does the same for the ranks from `first` to before `last`, indexes in EventReader::ranks().
// Groups of collective operations then have other numbers.
void walk_some(const EventReader &events, TraceListener &listener, size_t first, size_t last);

} // namespace observation
