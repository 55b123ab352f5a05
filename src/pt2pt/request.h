// Request (MPI 5.0 section 3.7) and Message (section 3.8): what a pending operation is.
//
// A handle to a request is the address of its `Request` part. Blocking calls have theirs on the
// stack. The others come from the rank's pool (request_pool.h) or, if complete at once, are one of
// two constants.
//
// Invariants
// 1. The thread that completes a request writes the result first, and accesses nothing of it
//    afterwards.
// 2. A request from the pool holds a reference to its communicator and datatype; requests on the
//    stack need none.
#pragma once
#include "base/error.h"
#include "base/handle_read.h"
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "fiber/completion.h"
#include "match/mailbox.h"
#include "rank/rank.h"

#include <atomic>
#include <memory>
#include <vector>

namespace thrum {
using Request = struct ::MPI_ABI_Request;
using Message = struct ::MPI_ABI_Message;
struct AttachedBuffer;

enum class RequestKind : uint8_t {
    Constant, // complete from the start; shared by all ranks, never freed
    Send,
    Receive,
    Pair,        // MPI_Isendrecv: a send and a receive
    Generalized, // MPI_Grequest_start
    Flush,       // MPI_Buffer_iflush
    Operation,   // of a layer above: collective, one-sided, files
};
enum class SendMode : uint8_t { Standard, Buffered, Synchronous, Ready };
} // namespace thrum

// One cache line: all that the peer reads and writes when it copies and completes.
struct alignas(64) MPI_ABI_Request {
    static constexpr uint16_t magic_live = 0x7265;

    thrum::Completion completion;
    void *buffer = nullptr; // a send only reads it
    thrum::Count count = 0;
    const thrum::Datatype *datatype = nullptr; // nullptr: a packet (pt2pt/packet_queue.h)
    // Size of the message: known to a send from the start, to a receive when complete. At first
    // that may be a mark (pt2pt/type_check.h).
    size_t size_bytes = 0;
    int source = MPI_ANY_SOURCE; // of the received message; a send: dest, for reports
    int tag = MPI_ANY_TAG;
    uint16_t magic = magic_live; // 0 once freed, by which stale handles are detected
    // Number of the place in the program that made it (request_places.h); 0: the library, or freed
    // by MPI_Request_free. Of a constant: unused.
    uint16_t place = 0;
    thrum::RequestKind kind = thrum::RequestKind::Constant;
    bool persistent = false;
    bool active = true; // false: persistent and not started
    bool cancelled = false;
    thrum::Communicator *comm = nullptr;
};

// A message taken by MPI_Mprobe and not yet received.
struct MPI_ABI_Message {
    thrum::UnexpectedMessage *message = nullptr; // nullptr: MPI_MESSAGE_NO_PROC
    thrum::Communicator *comm = nullptr;
};

namespace thrum {

static_assert(sizeof(Request) == 64);

// A receive. The sender reads the envelope in the first cache line, and writes to the second.
struct ReceiveRequest : PostedReceive, Request {
    ReceiveRequest(const Envelope &receive, void *receive_buffer, Count receive_count,
                   const Datatype &type) {
        envelope = receive;
        buffer = receive_buffer;
        count = receive_count;
        datatype = &type;
        kind = RequestKind::Receive;
    }
};

// A send that its receiver has to complete: rendezvous, or buffered in the user's attached buffer.
struct SendRequest : Request {
    UnexpectedMessage message;  // its envelope in the receiver's unexpected queue
    Mailbox *mailbox = nullptr; // the receiver's; nullptr: dest is MPI_PROC_NULL
    SendMode mode = SendMode::Standard;
    bool packed = false;                // `buffer` holds packed bytes
    AttachedBuffer *attached = nullptr; // where the data are, in buffered mode
    // If the receiver is in another process: by which number that process knows the send
    // (remote_send.cc).
    uint64_t remote_sender = 0;
    uint32_t remote_serial = 0;
};

// Returns how much of the receiver's memory limit a message takes whose sender has completed.
inline size_t buffered_bytes_of(const UnexpectedMessage &message) {
    return sizeof message +
           (message.form == UnexpectedMessage::Form::Buffered ? message.size_bytes : 0);
}

// MPI_Isendrecv and MPI_Isendrecv_replace.
struct PairRequest : Request {
    Request *send = nullptr;
    Request *receive = nullptr;
    WaitGroup both{completion, 2};
    void *copy = nullptr; // of the send buffer, for _replace; freed with the request
};

// MPI_Buffer_iflush: complete when the messages that were in the buffer are delivered. Guarded by
// the buffer's lock.
struct FlushRequest : Request {
    uint64_t last_sequence = 0; // of the messages that it waits for: the last
    size_t missing = 0;         // their number
    FlushRequest *next = nullptr;
};

// MPI_Grequest_start (section 13.2).
struct GeneralizedRequest : Request {
    MPI_Grequest_query_function *query = nullptr;
    MPI_Grequest_free_function *free = nullptr;
    MPI_Grequest_cancel_function *cancel = nullptr;
    void *extra_state = nullptr;
    // One for the user's handle, and one for the coming call of MPI_Grequest_complete. The last
    // release frees the request.
    std::atomic<int> references{2};
};

// Returns whether the request is active: neither null nor a persistent one that is not started.
inline bool is_active(MPI_Request request) {
    return request != MPI_REQUEST_NULL && request->active;
}

// The constants: a send that was complete when its call returned, and a receive from MPI_PROC_NULL.
extern Request sent_request, no_process_request;

// What a layer above does with the buffers of an operation when it begins and when it has ended.
// Destroyed with the request.
struct BuffersOfOperation {
    virtual ~BuffersOfOperation() = default;
    // Called when a persistent operation starts.
    virtual void begin() = 0;
    // Called before the program gets to know that the operation is complete; perhaps several times.
    virtual void end() = 0;
};

// An operation of a layer above: a non-blocking or persistent collective, one-sided or file
// operation. Its maker takes the references that it needs (communicator, datatypes), and its
// destructor releases them; free_request() of a complete or inactive request calls it. It completes
// like every other: the result is written, then `completion` is set. `comm` may stay nullptr.
struct OperationRequest : Request {
    OperationRequest() { kind = RequestKind::Operation; }

    OperationRequest(const OperationRequest &) = delete;
    OperationRequest &operator=(const OperationRequest &) = delete;
    virtual ~OperationRequest() = default;

    // Of a call whose buffers the operation cannot use directly; nullptr: it can.
    std::unique_ptr<BuffersOfOperation> buffers;

    // Fills in `status` of the complete operation (unless it is MPI_STATUS_IGNORE) and returns its
    // error. If the error belongs to another object than `comm`, it calls blame().
    virtual Error result(MPI_Status *status) MAY_SUSPEND = 0;

    // Does MPI_Start of a persistent operation; must reset `completion`.
    virtual Error start() MAY_SUSPEND {
        return fail(MPI_ERR_REQUEST, "the request cannot be started");
    }

    // Waits until it is complete. Reports show `of_several`, or its own blockage() if that is
    // nullptr.
    virtual void wait(const Blockage *of_several) MAY_SUSPEND;

    // Returns whether wait() does some of the operation's work: MPI_Waitall then calls it instead
    // of waiting for a group.
    virtual bool helps() const { return false; }

    // Returns whether its memory is from take_operation_memory().
    virtual bool is_pooled() const { return false; }

    // Returns its name for reports, such as "MPI_Ibcast"; "" if it has none.
    virtual const char *name() const { return ""; }

    // Adds, for reports, the world ranks that have not joined the operation yet.
    virtual void add_missing(std::vector<int> &world_ranks) const { (void)world_ranks; }

    // Does MPI_Cancel, complete or not. Most operations cannot be cancelled.
    virtual Error cancel() {
        return fail(MPI_ERR_REQUEST, "an operation of this kind cannot be cancelled");
    }

    // Returns whether MPI_Request_free is allowed for the active operation.
    virtual Error check_free() const { return success; }

    // Returns an address that identifies the class of the operation, for functions that need a
    // certain class.
    virtual const void *type() const { return nullptr; }

    // Returns what MPI_Wait waits for, for reports.
    virtual Blockage blockage() const {
        return {.kind = Blockage::Kind::Requests, .request_count = 1, .communicator = comm};
    }

    // Does some of its work and returns true, if help is wanted; otherwise returns false at once.
    // Called by MPI_Waitany and by tests.
    virtual bool help() MAY_SUSPEND { return false; }
};

// Returns whether `handle` is a request of ours (not MPI_REQUEST_NULL) that has not been freed.
inline bool is_live_request(MPI_Request handle) {
    return reinterpret_cast<uintptr_t>(handle) >= 4096 &&
           reinterpret_cast<uintptr_t>(handle) % alignof(Request) == 0 &&
           holds<Request::magic_live>(&handle->magic);
}

} // namespace thrum
