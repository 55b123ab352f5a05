// Both forms post the receive before they send, and the replacing forms send a packed copy.
#include "pt2pt/sendrecv.h"

#include "comm/process.h"
#include "datatype/status.h"
#include "pt2pt/blocked.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/receive.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/send.h"

#include <cstdlib>

namespace thrum {
namespace {

SourceData data_of(const SendPart &part) {
    return {part.buffer, part.count, &part.datatype, data_bytes(part.count, part.datatype)};
}

// Posts the receive before the send, which may block: two ranks that exchange messages do not
// deadlock.
Error exchange(const SourceData &data, const SendPart &send, const ReceivePart &receive,
               Communicator &comm, MPI_Status *status) MAY_SUSPEND {
    if (receive.source == MPI_PROC_NULL) {
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return send_data(data, send.dest, send.tag, comm);
    }
    ReceiveRequest request({comm.context->id, receive.source, receive.tag}, receive.buffer,
                           receive.count, receive.datatype);
    request.comm = &comm;
    bool received = receive_now(request, comm.process->mailbox);
    const Error sent = send_data(data, send.dest, send.tag, comm);
    if (!received && !request.completion.done()) {
        Blockage blockage{.kind = Blockage::Kind::Receive,
                          .peer = receive.source,
                          .tag = receive.tag,
                          .communicator = &comm,
                          .request = static_cast<const Request *>(&request)};
        wait_blocked(request.completion, blockage);
    }
    if (sent) [[unlikely]]
        return sent;
    return receive_result(request, status);
}

// A packed copy of the data to send, on the stack if it is small.
class PackedCopy {
public:
    explicit PackedCopy(const SendPart &part) : data_(data_of(part)) {
        if (data_.size_bytes > sizeof small_) {
            memory_ = std::malloc(data_.size_bytes);
            CHECK(memory_, "out of memory for a copy of %zu bytes", data_.size_bytes);
        }
        pack_all(data_, memory_);
        data_ = {memory_, 0, data_.datatype, data_.size_bytes, true};
    }

    ~PackedCopy() {
        if (memory_ != small_)
            std::free(memory_);
    }

    PackedCopy(const PackedCopy &) = delete;
    PackedCopy &operator=(const PackedCopy &) = delete;

    const SourceData &data() const { return data_; }

private:
    SourceData data_;
    char small_[256];
    void *memory_ = small_;
};

// Makes one request of two: the pair is complete when both parts are. A part that is complete
// already counts at once.
void pair_up(PairRequest &pair) {
    for (Request *part : {pair.send, pair.receive})
        if (!part->completion.join(pair.both))
            pair.both.arrive();
}

} // namespace

Error send_receive(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                   MPI_Status *status) {
    return exchange(data_of(send), send, receive, comm, status);
}

Error send_receive_replace(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                           MPI_Status *status) {
    PackedCopy copy(send);
    return exchange(copy.data(), send, receive, comm, status);
}

Error isend_receive(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                    MPI_Request *request) {
    PairRequest *pair = new_pair_request(comm);
    *request = pair;
    if (Error error = ireceive(receive.buffer, receive.count, receive.datatype, receive.source,
                               receive.tag, comm, &pair->receive))
        return error;
    isend_data(data_of(send), &send.datatype, send.dest, send.tag, comm, &pair->send);
    if (send.dest != MPI_PROC_NULL)
        watch_send(*pair, data_of(send));
    pair_up(*pair);
    return success;
}

Error isend_receive_replace(const SendPart &send, const ReceivePart &receive, Communicator &comm,
                            MPI_Request *request) {
    PairRequest *pair = new_pair_request(comm);
    *request = pair;
    SourceData data = data_of(send);
    // The receive may overwrite the buffer before the send is complete, so the data are sent from a
    // copy.
    pair->copy = std::malloc(data.size_bytes ? data.size_bytes : 1);
    CHECK(pair->copy, "out of memory for a copy of %zu bytes", data.size_bytes);
    pack_all(data, pair->copy);
    data = {pair->copy, 0, data.datatype, data.size_bytes, true};
    if (Error error = ireceive(receive.buffer, receive.count, receive.datatype, receive.source,
                               receive.tag, comm, &pair->receive))
        return error;
    isend_data(data, &send.datatype, send.dest, send.tag, comm, &pair->send);
    pair_up(*pair);
    return success;
}

} // namespace thrum
