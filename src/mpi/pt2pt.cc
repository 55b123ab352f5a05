// MPI 5.0 chapter 3: point-to-point communication. The entry points have checked the arguments; the
// implementation of each call is in pt2pt/, and the four send modes are one function there.
#include "comm/process.h"
#include "entry/calls.h"
#include "entry/tolerance.h"
#include "mpi/ready_send.h"
#include "pt2pt/buffered.h"
#include "pt2pt/persistent.h"
#include "pt2pt/probe.h"
#include "pt2pt/receive.h"
#include "pt2pt/send.h"
#include "pt2pt/sendrecv.h"

namespace thrum::mpi {

// A buffered send to nobody needs no buffer.
static Error check_buffered_send(Count count, const Datatype &datatype, int dest,
                                 const Communicator &comm) {
    return dest == MPI_PROC_NULL ? success
                                 : check_attached_buffer(comm, data_bytes(count, datatype));
}

// Sections 3.2 and 3.4: blocking
Error send(const void *buf, Count count, Datatype &datatype, int dest, int tag,
           Communicator &comm) {
    return thrum::send(buf, count, datatype, dest, tag, comm, SendMode::Standard);
}

Error bsend(const void *buf, Count count, Datatype &datatype, int dest, int tag,
            Communicator &comm) {
    if (Error error = check_buffered_send(count, datatype, dest, comm))
        return error;
    return thrum::send(buf, count, datatype, dest, tag, comm, SendMode::Buffered);
}

Error ssend(const void *buf, Count count, Datatype &datatype, int dest, int tag,
            Communicator &comm) {
    return thrum::send(buf, count, datatype, dest, tag, comm, SendMode::Synchronous);
}

Error check_ready(int dest, int tag, Communicator &comm) {
    if (is_tolerated(Tolerance::ReadySend) || receive_is_posted(dest, tag, comm))
        return success;
    return tolerate(
        Tolerance::ReadySend,
        fail(MPI_ERR_OTHER,
             "rank %d has not posted a receive with tag %d: a ready send must come after "
             "its receive; use MPI_Send",
             dest, tag));
}

Error rsend(const void *buf, Count count, Datatype &datatype, int dest, int tag,
            Communicator &comm) {
    if (Error error = check_ready(dest, tag, comm))
        return error;
    return thrum::send(buf, count, datatype, dest, tag, comm, SendMode::Ready);
}

Error recv(void *buf, Count count, Datatype &datatype, int source, int tag, Communicator &comm,
           MPI_Status *status) {
    return receive(buf, count, datatype, source, tag, comm, status);
}

// Section 3.7.2: non-blocking
Error isend(const void *buf, Count count, Datatype &datatype, int dest, int tag, Communicator &comm,
            MPI_Request *request) {
    return thrum::isend(buf, count, datatype, dest, tag, comm, SendMode::Standard, request);
}

Error ibsend(const void *buf, Count count, Datatype &datatype, int dest, int tag,
             Communicator &comm, MPI_Request *request) {
    if (Error error = check_buffered_send(count, datatype, dest, comm))
        return error;
    return thrum::isend(buf, count, datatype, dest, tag, comm, SendMode::Buffered, request);
}

Error issend(const void *buf, Count count, Datatype &datatype, int dest, int tag,
             Communicator &comm, MPI_Request *request) {
    return thrum::isend(buf, count, datatype, dest, tag, comm, SendMode::Synchronous, request);
}

Error irsend(const void *buf, Count count, Datatype &datatype, int dest, int tag,
             Communicator &comm, MPI_Request *request) {
    if (Error error = check_ready(dest, tag, comm))
        return error;
    return thrum::isend(buf, count, datatype, dest, tag, comm, SendMode::Ready, request);
}

Error irecv(void *buf, Count count, Datatype &datatype, int source, int tag, Communicator &comm,
            MPI_Request *request) {
    return ireceive(buf, count, datatype, source, tag, comm, request);
}

// Section 3.8: probe
Error probe(int source, int tag, Communicator &comm, MPI_Status *status) {
    return thrum::probe(source, tag, comm, status);
}

// The flag is an int in C; the implementation stores a bool.
Error iprobe(int source, int tag, Communicator &comm, int *flag, MPI_Status *status) {
    bool found = false;
    Error error = thrum::iprobe(source, tag, comm, found, status);
    *flag = found;
    return error;
}

Error mprobe(int source, int tag, Communicator &comm, MPI_Message *message, MPI_Status *status) {
    return thrum::mprobe(source, tag, comm, message, status);
}

// The message is taken out of the queue, so no other receive can match it.
Error improbe(int source, int tag, Communicator &comm, int *flag, MPI_Message *message,
              MPI_Status *status) {
    bool found = false;
    *message = MPI_MESSAGE_NULL; // not undefined, so that the entry point may look at it
    Error error = thrum::improbe(source, tag, comm, found, message, status);
    *flag = found;
    return error;
}

// Checks a message handle. The entry point passes its address, since the call changes it, and so
// cannot check it. MPI_MESSAGE_NO_PROC is valid.
static Error check_message(MPI_Message message) {
    if (message == nullptr || message == MPI_MESSAGE_NULL)
        return fail(MPI_ERR_REQUEST, "message is %s",
                    message ? "MPI_MESSAGE_NULL" : "a null pointer, not a message handle");
    return success;
}

// The handle becomes MPI_MESSAGE_NULL.
Error mrecv(void *buf, Count count, Datatype &datatype, MPI_Message *message, MPI_Status *status) {
    if (Error error = check_message(*message))
        return error;
    return mreceive(buf, count, datatype, message, status);
}

Error imrecv(void *buf, Count count, Datatype &datatype, MPI_Message *message,
             MPI_Request *request) {
    if (Error error = check_message(*message))
        return error;
    return imreceive(buf, count, datatype, message, request);
}

// Makes an inactive request. Nothing is checked at the receiver until it is started.
static Error init(const void *buf, Count count, Datatype &datatype, int dest, int tag,
                  Communicator &comm, SendMode mode, MPI_Request *request) {
    *request = thrum::send_init(buf, count, datatype, dest, tag, comm, mode);
    return success;
}

Error send_init(const void *buf, Count count, Datatype &datatype, int dest, int tag,
                Communicator &comm, MPI_Request *request) {
    return init(buf, count, datatype, dest, tag, comm, SendMode::Standard, request);
}

Error bsend_init(const void *buf, Count count, Datatype &datatype, int dest, int tag,
                 Communicator &comm, MPI_Request *request) {
    return init(buf, count, datatype, dest, tag, comm, SendMode::Buffered, request);
}

Error ssend_init(const void *buf, Count count, Datatype &datatype, int dest, int tag,
                 Communicator &comm, MPI_Request *request) {
    return init(buf, count, datatype, dest, tag, comm, SendMode::Synchronous, request);
}

Error rsend_init(const void *buf, Count count, Datatype &datatype, int dest, int tag,
                 Communicator &comm, MPI_Request *request) {
    return init(buf, count, datatype, dest, tag, comm, SendMode::Ready, request);
}

Error recv_init(void *buf, Count count, Datatype &datatype, int source, int tag, Communicator &comm,
                MPI_Request *request) {
    *request = receive_init(buf, count, datatype, source, tag, comm);
    return success;
}

// Section 3.10: "The send buffer and receive buffers must be disjoint". Only buffers that begin at
// one address are examined, as in collective operations (mpi/aliasing.h).
[[gnu::cold, gnu::noinline]] static Error judge_same_buffer(const SendPart &send,
                                                            const ReceivePart &receive) {
    const bool apart = !send.buffer || send.dest == MPI_PROC_NULL ||
                       receive.source == MPI_PROC_NULL || !send.datatype.contiguous ||
                       !receive.datatype.contiguous || data_bytes(send.count, send.datatype) == 0 ||
                       data_bytes(receive.count, receive.datatype) == 0;
    if (apart || is_tolerated(Tolerance::AliasedSendrecv))
        return success;
    return tolerate(Tolerance::AliasedSendrecv,
                    fail(MPI_ERR_BUFFER, "sendbuf and recvbuf overlap: pass different buffers, or "
                                         "call MPI_Sendrecv_replace"));
}

// Section 3.10: send and receive
Error sendrecv(const void *sendbuf, Count sendcount, Datatype &sendtype, int dest, int sendtag,
               void *recvbuf, Count recvcount, Datatype &recvtype, int source, int recvtag,
               Communicator &comm, MPI_Status *status) {
    const SendPart send{sendbuf, sendcount, sendtype, dest, sendtag};
    const ReceivePart receive{recvbuf, recvcount, recvtype, source, recvtag};
    if (sendbuf == recvbuf) [[unlikely]]
        if (Error error = judge_same_buffer(send, receive))
            return error;
    return send_receive(send, receive, comm, status);
}

// Both halves have the same buffer: the implementation sends a copy.
Error sendrecv_replace(void *buf, Count count, Datatype &datatype, int dest, int sendtag,
                       int source, int recvtag, Communicator &comm, MPI_Status *status) {
    return send_receive_replace({buf, count, datatype, dest, sendtag},
                                {buf, count, datatype, source, recvtag}, comm, status);
}

Error isendrecv(const void *sendbuf, Count sendcount, Datatype &sendtype, int dest, int sendtag,
                void *recvbuf, Count recvcount, Datatype &recvtype, int source, int recvtag,
                Communicator &comm, MPI_Request *request) {
    const SendPart send{sendbuf, sendcount, sendtype, dest, sendtag};
    const ReceivePart receive{recvbuf, recvcount, recvtype, source, recvtag};
    if (sendbuf == recvbuf) [[unlikely]]
        if (Error error = judge_same_buffer(send, receive))
            return error;
    return isend_receive(send, receive, comm, request);
}

Error isendrecv_replace(void *buf, Count count, Datatype &datatype, int dest, int sendtag,
                        int source, int recvtag, Communicator &comm, MPI_Request *request) {
    return isend_receive_replace({buf, count, datatype, dest, sendtag},
                                 {buf, count, datatype, source, recvtag}, comm, request);
}

// Detaches a buffer of the process, a session or a communicator. Waits until its messages are sent.
static Error detach(BufferPlace place, void *buffer_addr, CountRef size) MAY_SUSPEND {
    void *buffer = nullptr;
    Count size_bytes = 0;
    if (Error error = detach_buffer(place, &buffer, &size_bytes))
        return error;
    *static_cast<void **>(buffer_addr) = buffer;
    size = size_bytes;
    return success;
}

Error buffer_attach(void *buffer, Count size) {
    return attach_buffer(buffer_of(current_process()), buffer, size);
}

Error buffer_detach(void *buffer_addr, CountRef size) {
    return detach(buffer_of(current_process()), buffer_addr, size);
}

Error buffer_flush() {
    flush_buffer(buffer_of(current_process()));
    return success;
}

Error buffer_iflush(MPI_Request *request) {
    iflush_buffer(buffer_of(current_process()), request);
    return success;
}

Error session_attach_buffer(Session &session, void *buffer, Count size) {
    return attach_buffer(buffer_of(session), buffer, size);
}

Error session_detach_buffer(Session &session, void *buffer_addr, CountRef size) {
    return detach(buffer_of(session), buffer_addr, size);
}

Error session_flush_buffer(Session &session) {
    flush_buffer(buffer_of(session));
    return success;
}

Error session_iflush_buffer(Session &session, MPI_Request *request) {
    iflush_buffer(buffer_of(session), request);
    return success;
}

Error comm_attach_buffer(Communicator &comm, void *buffer, Count size) {
    return attach_buffer(buffer_of(comm), buffer, size);
}

Error comm_detach_buffer(Communicator &comm, void *buffer_addr, CountRef size) {
    return detach(buffer_of(comm), buffer_addr, size);
}

Error comm_flush_buffer(Communicator &comm) {
    flush_buffer(buffer_of(comm));
    return success;
}

Error comm_iflush_buffer(Communicator &comm, MPI_Request *request) {
    iflush_buffer(buffer_of(comm), request);
    return success;
}

} // namespace thrum::mpi
