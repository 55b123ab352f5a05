// Where a rank's requests come from, and where they go.
#pragma once
#include "comm/communicator_lifecycle.h"
#include "comm/process.h"
#include "pt2pt/request.h"

#include <functional>

namespace thrum {

// New requests of the calling rank. Those of communication take a reference to communicator and
// datatype.
ReceiveRequest *new_receive_request(const Envelope &envelope, void *buffer, Count count,
                                    Datatype &datatype, Communicator &comm);
SendRequest *new_send_request(Communicator &comm, Datatype *datatype); // nullptr: packed data
PairRequest *new_pair_request(Communicator &comm);
FlushRequest *new_flush_request();

// Memory of operation_bytes_max bytes, aligned to a cache line, for an OperationRequest of the
// calling rank: for its operator new and delete. A freed one's magic word stays where it is.
inline constexpr size_t operation_bytes_max = 512;
void *take_operation_memory();
void give_back_operation_memory(void *memory);

// References of a request to its communicator and a datatype. The predefined ones outlive every
// request.
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

// Frees a request that is complete or inactive, and its references. A no-op for constants.
Error free_message_request(Request &request); // of any kind but the other's

inline void free_operation_request(OperationRequest &request) {
    // Is looked at after the object's end.
    *static_cast<volatile uint32_t *>(&request.magic) = 0;
    delete &request;
}

inline Error free_request(Request &request) {
    if (request.kind != RequestKind::Operation)
        return free_message_request(request);
    free_operation_request(static_cast<OperationRequest &>(request));
    return success;
}

// MPI_Request_free: frees it now, or once it is complete if it is pending.
Error abandon_request(Request &request);

// Takes one that was freed while it was pending, and that is `wanted`, out of the list of those;
// nullptr: there is none.
Request *take_abandoned(Process &process, const std::function<bool(const Request &)> &wanted);

// Frees the rank's pools, unless the program has forgotten requests: peers may still complete them.
void delete_request_pool(Process &process);

// How many sends and receives of the process have a request that is not freed.
size_t requests_in_use(Process &process);

} // namespace thrum
