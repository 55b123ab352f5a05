// Makes persistent requests. A start does the same as the non-blocking call, with the stored
// request.
#include "pt2pt/persistent.h"

#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/process.h"
#include "pt2pt/receive.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/send.h"

namespace thrum {

MPI_Request send_init(const void *buffer, Count count, Datatype &datatype, int dest, int tag,
                      Communicator &comm, SendMode mode) {
    SendRequest *request = new_send_request(comm, &datatype);
    request->persistent = true;
    request->active = false;
    request->buffer = const_cast<void *>(buffer);
    request->count = count;
    request->size_bytes = data_bytes(count, datatype);
    request->message.envelope = {comm.context->id, comm.rank, tag};
    request->mailbox = dest == MPI_PROC_NULL ? nullptr : &comm.peer(dest).mailbox;
    request->mode = mode;
    request->source = dest; // for reports
    request->tag = tag;
    return request;
}

MPI_Request receive_init(void *buffer, Count count, Datatype &datatype, int source, int tag,
                         Communicator &comm) {
    ReceiveRequest *request =
        new_receive_request({comm.context->id, source, tag}, buffer, count, datatype, comm);
    request->persistent = true;
    request->active = false;
    return request;
}

Error start(Request &request) {
    if (!request.persistent)
        return fail(MPI_ERR_REQUEST, "the request is not persistent: it cannot be started");
    if (request.active)
        return fail(MPI_ERR_REQUEST, "the persistent request is already active");
    request.active = true;
    if (request.kind == RequestKind::Operation) {
        auto &operation = static_cast<OperationRequest &>(request);
        if (operation.buffers)
            operation.buffers->begin();
        Error error = operation.start();
        request.active = !error;
        return error;
    }
    if (request.kind == RequestKind::Receive) {
        start_receive(static_cast<ReceiveRequest &>(request));
        return success;
    }
    Error error = start_send(static_cast<SendRequest &>(request));
    if (!error)
        return success;
    request.active = false;
    return blame(*request.comm, error);
}

} // namespace thrum
