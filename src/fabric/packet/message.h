// What the fabric carries between node processes, in terms shared by all its levels: channels,
// kinds of messages, arrivals, and memory that others may read.
#pragma once
#include "base/node_process.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

// Two channels that do not wait for each other: collectives need no matching, and must not queue
// behind point-to-point traffic (TMPI, section 3.2).
enum class Channel : uint8_t { PointToPoint, Collective };
inline constexpr int channel_count = 2;

// The receiver of a message: one number for each use by the layers above, which may add to the
// list.
enum class MessageKind : uint8_t {
    Internal, // the fabric's own
    Contact,  // a transport's own: whether packets reach a process
    Envelope, // pt2pt: a message, or its announcement
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
    Deadlock,   // inspect: detects deadlocks between processes; not counted as traffic
    Test,
    Test2,
};
inline constexpr int message_kind_count = 17;
inline constexpr size_t header_bytes_max = 96;

// A message that has arrived completely.
struct Arrival {
    NodeProcess source;
    Channel channel;
    const void *header; // aligned to 8; like the payload, valid only during the call
    size_t header_bytes;
    const void *payload;
    size_t payload_bytes;
};

// Handles a message. Runs on any thread that takes messages in: a waiting task, an idle worker, or
// the fabric's own thread; never twice at once in a process. It must not suspend, and may hold spin
// locks only briefly. It may call fabric_send and fabric_read, which queue there instead of
// waiting.
using ArriveFunction = void (*)(void *argument, const Arrival &arrival);

// A piece of this process's memory that others may read while it is exposed. It is sent in headers.
struct RemoteMemory {
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t key = 0;
};

// Called when the bytes of a fabric_read() have arrived. `ok` is false if the process is lost or
// has not exposed that memory.
using ReadDoneFunction = void (*)(void *argument, bool ok);

// Counts the traffic between this process and those that are not lost, to detect messages in
// transit. A thread that reads it sees all traffic that it has caused itself; sends and arrivals of
// other threads are counted when they are complete.
struct FabricTraffic {
    uint64_t sent = 0;         // messages, including those that wait for room
    uint64_t taken = 0;        // messages that have arrived here completely
    uint64_t passages = 0;     // at gates: others that were let go on, and times that this one was
    bool reads = false;        // other processes' memory is being read
    bool gates_over = false;   // a wait at a gate is over, and its rank may not know yet
    bool without_lost = false; // some processes are lost, and not counted
};

} // namespace thrum
