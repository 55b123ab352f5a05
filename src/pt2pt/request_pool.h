// Where a rank's requests come from, and where they go.
#pragma once
#include "comm/communicator_lifecycle.h"
#include "comm/process.h"
#include "pt2pt/request.h"

namespace thrum {

// New requests of the calling rank. Those of communication take a reference to communicator and
// datatype.
ReceiveRequest *new_receive_request(const Envelope &envelope, void *buffer, Count count,
                                    Datatype &datatype, Communicator &comm);
SendRequest *new_send_request(Communicator &comm, Datatype *datatype); // nullptr: packed data
PairRequest *new_pair_request(Communicator &comm);
FlushRequest *new_flush_request();
GeneralizedRequest *new_generalized_request();

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

void delete_generalized_request(GeneralizedRequest &request);

// MPI_Request_free: frees it now, or once it is complete if it is pending.
Error abandon_request(Request &request);

// How many sends and receives of the process have a request that is not freed.
size_t requests_in_use(Process &process);

// Complete what the rank has freed while it was pending. Receives wait for their message; those for
// which nobody can send one any more (departure.h) are cancelled. Return the number of these.
//
// For MPI_Finalize and the end of the last session, once no other thread of the rank communicates
// any more. The first frees the rank's pools, too.
int finish_requests_of_world(Process &process) MAY_SUSPEND;
int finish_requests_of_sessions(Process &process, bool world_is_over) MAY_SUSPEND;
// For MPI_Comm_disconnect: what is no receive; the receives, once all members have come.
void finish_freed_sends(const Communicator &comm) MAY_SUSPEND;
int finish_freed_receives(const Communicator &comm) MAY_SUSPEND;

} // namespace thrum
