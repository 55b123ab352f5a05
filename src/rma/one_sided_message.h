// The messages between an origin's and a target's process (rma/remote_access.h). Each is complete
// in itself: the receiver keeps no state between messages. The answers:
//
//   Put, Combine        none; a Flush confirms them. Header, description of the target's datatype
//                       unless it is dense, data
//   PutLarge            Done, when the target's process has read the data
//   Get, Combine        Data, for a Combine that fetches
//   CompareAndSwap      Data; the message has the two values
//   Flush               Done, when all earlier messages are done
//   Attached            Value: 1 if the range is attached
//   Lock                Value: 1 once it is held, or 0 if it is refused (the target is exposed)
//   Unlock              Done
//   Post, Complete      none
#pragma once
#include "fabric/fabric.h"

namespace thrum {

// The header of all these messages; both processes run on the same kind of machine. Fields that a
// kind does not use are zero.
struct OneSidedHeader {
    enum class What : uint8_t {
        Put,
        PutLarge,
        Get,
        Combine,
        CompareAndSwap,
        Flush,
        Attached,
        Lock,
        Unlock,
        GrantNext,
        Post,
        Complete,
        Done, // answers
        Data,
        Value,
    };
    What what;
    uint8_t op = 0;           // Combine: OpKind. Lock, Unlock, GrantNext: LockMode
    bool combines = false;    // Combine: the message has data of the origin
    bool fetches = false;     // Combine: the answer returns the old values
    bool whole_lock = false;  // Lock, Unlock, GrantNext: `window` is a SharedWindow
    bool overtakes = false;   // Lock
    bool has_mapped = false;  // Lock: the origin has mapped the lock, and will release it there
    uint16_t element = 0;     // Combine: number of a predefined datatype
    int32_t rank = 0;         // Post, Complete: the rank that calls it. Lock: number of its process
    uint32_t type_bytes = 0;  // size of the description; 0: the target buffer is dense
    uint64_t window = 0;      // the receiver's object: Window, or SharedWindow
    uint64_t reply = 0;       // at the sender: the operation to which the answer belongs
    uint64_t address = 0;     // of the target buffer; Attached: first byte; Value: the value
    uint64_t count = 0;       // elements of the target datatype; Attached: the end
    uint64_t first_byte = 0;  // offset in the target buffer's packed form
    uint64_t size_bytes = 0;  // from there on
    RemoteMemory memory = {}; // PutLarge: where the data are
};

static_assert(sizeof(OneSidedHeader) <= header_bytes_max);

// Sends a message with up to two parts of data behind the header. Returns false if the process is
// lost.
bool send_one_sided(NodeProcess process, const OneSidedHeader &header, const void *first = nullptr,
                    size_t first_bytes = 0, const void *second = nullptr,
                    size_t second_bytes = 0) MAY_SUSPEND;

// Handles an answer that has arrived in this process (remote_origin.cc).
void take_answer(const OneSidedHeader &header, const Arrival &arrival);

} // namespace thrum
