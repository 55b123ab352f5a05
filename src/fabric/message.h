// What the fabric moves between node processes, in the words of all its levels: channels, kinds of
// messages, what arrives, and memory that others may read.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

// Two ways that do not wait for each other: collectives need no matching, and must not queue up
// behind point-to-point traffic (TMPI, section 3.2).
enum class Channel : uint8_t { PointToPoint, Collective };
inline constexpr int channel_count = 2;

// Who takes a message: one number for each use by the layers above, which may add to the list.
enum class MessageKind : uint8_t {
    Internal, // the fabric's own
    Envelope, // pt2pt: a message, or the announcement of one
    PointToPointControl,
    Collective,
    Partition,    // of a partitioned message (pt2pt)
    Communicator, // agreement on context ids, creation
    OneSided,
    File,
    FileStream, // of a file without positions
    Dynamic,
    Supersteps, // <thrum/bsp.h>
    Acl,        // <thrum/acl.h>
    Deadlock,   // inspect: whether all processes wait for each other; not counted as traffic
    Test,
    Test2,
};
inline constexpr int message_kind_count = 16;
inline constexpr size_t header_bytes_max = 96;

struct Arrival {
    int source; // number of the node process
    Channel channel;
    const void *header; // aligned to 8; valid during the call only, as is the payload
    size_t header_bytes;
    const void *payload;
    size_t payload_bytes;
};

// Runs on whatever thread takes messages in: a task that waits, an idle worker, the fabric's own
// thread; never twice at once in a process. It must not suspend, so it may hold spin locks only for
// moments, and may call fabric_send and fabric_read (which queue instead of waiting there).
using ArriveFunction = void (*)(void *argument, const Arrival &arrival);

// A piece of this process's memory that others may read while it is exposed. Travels in headers.
struct RemoteMemory {
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t key = 0;
};

// Called once the bytes of a fabric_read() are there; not ok: the process is lost or has not
// exposed that memory.
using ReadDoneFunction = void (*)(void *argument, bool ok);

// How much has gone between this process and those that are not lost: for finding out whether
// messages are under way. A thread that reads it sees what it has caused itself; others' sends and
// arrivals are counted once they are over.
struct FabricTraffic {
    uint64_t sent = 0;         // messages, also those that wait for room
    uint64_t taken = 0;        // that have arrived here, whole
    bool reads = false;        // memory of others is being read
    bool without_lost = false; // some are lost
};

} // namespace thrum
