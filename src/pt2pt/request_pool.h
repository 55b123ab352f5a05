// Allocation of a rank's requests, and the list of requests that were freed while pending.
#pragma once
#include "comm/communicator_lifecycle.h"
#include "comm/process.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/request.h"
#include "pt2pt/request_places.h"

#include <functional>

namespace thrum {

// Make requests of the calling rank. Those of communication take a reference to communicator and
// datatype.
ReceiveRequest *new_receive_request(const Envelope &envelope, void *buffer, Count count,
                                    Datatype &datatype, Communicator &comm);
SendRequest *new_send_request(Communicator &comm, Datatype *datatype); // nullptr: packed data
PairRequest *new_pair_request(Communicator &comm);
FlushRequest *new_flush_request();

// Return and take back memory of operation_bytes_max bytes, aligned to a cache line, for an
// OperationRequest of the calling rank (its operator new and delete). The magic word of a freed
// request stays readable.
inline constexpr size_t operation_bytes_max = 512;
void *take_operation_memory();
void give_back_operation_memory(void *memory);

// Take and release the references of a request to its communicator and a datatype. Predefined ones
// outlive every request and are not counted.
inline bool is_predefined(const Communicator &comm) {
    return &comm == comm.process->world || &comm == comm.process->self;
}

inline void hold(Communicator &comm, Datatype *datatype) {
    if (!is_predefined(comm))
        retain(comm);
    if (datatype && !datatype->predefined)
        retain(*datatype);
}

inline void let_go(Communicator &comm, Datatype *datatype) {
    if (datatype && !datatype->predefined)
        release(*datatype);
    if (!is_predefined(comm))
        release(comm);
}

// Frees a request that is complete or inactive, and its references. A no-op for constants. Returns
// the error of a generalized request's free function.
// Does it for all kinds but Operation.
Error free_message_request(Request &request);

inline void free_operation_request(OperationRequest &request) {
    forget_place(request);
    forget_watch(request);
    // Volatile: the word is read after the object's end, to detect stale handles.
    *static_cast<volatile uint16_t *>(&request.magic) = 0;
    delete &request;
}

inline Error free_request(Request &request) {
    if (request.kind != RequestKind::Operation)
        return free_message_request(request);
    free_operation_request(static_cast<OperationRequest &>(request));
    return success;
}

// Does MPI_Request_free: frees the request at once, or once it is complete if it is pending.
Error abandon_request(Request &request);

// A request that was freed while pending.
struct AbandonedRequest {
    Request *request = nullptr;
    uint16_t place = 0; // number of the call that has made it (request_places.h)
};

// Takes one for which `wanted` returns true off the list; {} if there is none.
AbandonedRequest take_abandoned(Process &process,
                                const std::function<bool(const Request &)> &wanted);
// Frees one that is complete, and warns if the message of a receive was not what it expects.
void free_abandoned(const AbandonedRequest &abandoned);

// Frees the rank's pools, unless some requests were never freed: peers may still complete them.
void delete_request_pool(Process &process);

// Calls visit(request) for each send, receive and pooled operation of the process that is not
// freed.
void for_each_request(Process &process, const std::function<void(const Request &)> &visit);

// Returns how many sends, receives and operations of the process have a request that is not freed.
size_t requests_in_use(Process &process);

} // namespace thrum
