// Neighbourhood collectives as messages (neighbor.h). The receives and rendezvous sends are parts
// of the exchange's own memory: a start allocates nothing after the first.
#include "coll/neighbor.h"

#include "base/check.h"
#include "check/causality.h"
#include "comm/communicator_lifecycle.h"
#include "comm/group.h"
#include "comm/process.h"
#include "datatype/status.h"
#include "meeting/round.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/receive.h"
#include "pt2pt/send.h"
#include "pt2pt/type_check.h"

#include <cstdlib>
#include <new>

namespace thrum {
namespace {

// Returns the tag of the member's next operation. All members call their neighbourhood collectives
// in the same order (section 6.12), so the n-th of one is the n-th of all.
int next_tag(Communicator &comm, bool persistent) {
    constexpr uint32_t persistent_bit = 1u << 29;
    uint32_t number =
        persistent ? comm.persistent_neighbor_operations++ : comm.neighbor_operations++;
    return static_cast<int>(library_tag_neighbor | (persistent ? persistent_bit : 0) |
                            (number & (persistent_bit - 1)));
}

// The exchange holds a reference to the datatype.
Datatype &held(const Datatype *type) {
    return *const_cast<Datatype *>(type);
}

} // namespace

NeighborExchange::NeighborExchange(Communicator &communicator, int message_tag, const char *name)
    : name_(name) {
    comm = &communicator;
    tag = message_tag;
    retain(communicator);
}

// Allocates the request with all its receives and sends in one block. Neighbours that are
// MPI_PROC_NULL get no entry.
NeighborExchange *NeighborExchange::make(Communicator &communicator, const Neighbors &neighbors,
                                         const Blocks &send, const Blocks &receive, bool persistent,
                                         const char *name) {
    const auto indegree = static_cast<size_t>(neighbors.indegree());
    const auto outdegree = static_cast<size_t>(neighbors.outdegree());
    constexpr size_t line = alignof(NeighborExchange);
    const size_t needed_bytes =
        sizeof(NeighborExchange) + indegree * sizeof(ReceiveRequest) + outdegree * sizeof(Send);
    void *memory = std::aligned_alloc(line, (needed_bytes + line - 1) / line * line);
    CHECK(memory, "out of memory for an operation with %zu neighbours", indegree + outdegree);
    auto *exchange =
        new (memory) NeighborExchange(communicator, next_tag(communicator, persistent), name);
    exchange->persistent = persistent;
    exchange->active = !persistent;
    exchange->receives_ = reinterpret_cast<ReceiveRequest *>(exchange + 1);
    exchange->sends_ = reinterpret_cast<Send *>(exchange->receives_ + indegree);
    for (int i = 0; i < neighbors.indegree(); ++i) {
        int from = neighbors.order_of_receiving(i);
        if (neighbors.source(from) != MPI_PROC_NULL)
            exchange->add_receive(receive[from], neighbors.source(from));
    }
    for (int i = 0; i < neighbors.outdegree(); ++i)
        if (neighbors.destination(i) != MPI_PROC_NULL)
            exchange->add_send(send[i], neighbors.destination(i));
    return exchange;
}

void NeighborExchange::add_receive(const Block &block, int source_rank) {
    new (&receives_[receive_count_++])
        ReceiveRequest(envelope_of(source_rank), block.address, block.count, *block.type);
    retain(held(block.type));
}

void NeighborExchange::add_send(const Block &block, int destination) {
    new (&sends_[send_count_++])
        Send{{block.address, block.count, block.type, block.size_bytes()}, destination, nullptr};
    retain(held(block.type));
}

NeighborExchange::~NeighborExchange() {
    for (int i = 0; i < receive_count_; ++i) {
        release(held(receives_[i].datatype));
        receives_[i].~ReceiveRequest();
    }
    for (int i = 0; i < send_count_; ++i) {
        release(held(sends_[i].data.datatype));
        delete sends_[i].rendezvous;
    }
    release(*comm);
}

void NeighborExchange::operator delete(void *memory) {
    std::free(memory);
}

// Posts all receives, then sends. `pieces_` counts what is complete already, and completes the
// request with the last piece.
Error NeighborExchange::start() {
    count_collective(*comm);
    if (has_buffer_checks()) [[unlikely]]
        watch_buffers();
    completion.reset();
    int arrived = 1; // the request's own: it cannot complete before everything has been started
    new (&pieces_) WaitGroup(completion, receive_count_ + send_count_ + arrived);
    Mailbox &mailbox = comm->process->mailbox;
    for (int i = 0; i < receive_count_; ++i) {
        // Before it is posted: a sender may complete it at once.
        receives_[i].completion.expect(pieces_);
        if (receive_now(receives_[i], mailbox)) {
            receives_[i].completion.set_done();
            ++arrived;
        }
    }
    const Envelope envelope = envelope_of(comm->rank);
    for (int i = 0; i < send_count_; ++i) {
        Send &send = sends_[i];
        Mailbox &receiver = comm->peer(send.destination).mailbox;
        const Buffering buffering =
            may_buffer(SendMode::Standard, send.data.size_bytes, *comm->process);
        arrived += send_now({envelope, send.data}, send.destination, *comm, buffering) ||
                   leave_envelope_of(send, receiver);
    }
    pieces_.arrive(arrived);
    return success;
}

// Under `mpiexec --check`: the blocking form, too, uses its buffers until its request is complete.
void NeighborExchange::watch_buffers() const {
    const Request *owner = this;
    for (int i = 0; i < receive_count_; ++i)
        begin_use(owner, use_of(receives_[i], BufferAccess::Write), BufferContents::Varying);
    for (int i = 0; i < send_count_; ++i)
        watch_send(*owner, sends_[i].data);
}

// Leaves the envelope, so that the receiver completes the send. Returns true if the receiver has
// posted a receive meanwhile and got the data.
bool NeighborExchange::leave_envelope_of(Send &send, Mailbox &receiver) {
    if (!send.rendezvous) {
        send.rendezvous = new SendRequest;
        send.rendezvous->kind = RequestKind::Send;
        send.rendezvous->buffer = const_cast<void *>(send.data.buffer);
        send.rendezvous->count = send.data.count;
        send.rendezvous->datatype = send.data.datatype;
        send.rendezvous->size_bytes = send.data.size_bytes;
        send.rendezvous->message.envelope = envelope_of(comm->rank);
        send.rendezvous->mailbox = &receiver;
    }
    send.rendezvous->completion.expect(pieces_);
    const bool delivered = leave_envelope(*send.rendezvous, receiver);
    if (delivered)
        send.rendezvous->completion.set_done();
    return delivered;
}

Error NeighborExchange::result(MPI_Status *status) {
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    for (int i = 0; i < receive_count_; ++i) {
        ReceiveRequest &receive = receives_[i];
        if (tracks_causality()) [[unlikely]]
            note_received(static_cast<const Request *>(&receive), current_call());
        const size_t room_bytes = data_bytes(receive.count, *receive.datatype);
        std::string sender;
        if (marks_difference(receive.size_bytes)) [[unlikely]]
            if (Error error = take_difference(receive, sender))
                return error;
        if (receive.size_bytes > room_bytes)
            return fail(MPI_ERR_TRUNCATE,
                        "neighbour rank %d has sent %zu bytes, but the block that is received from "
                        "it has room for %zu%s",
                        receive.envelope.source, receive.size_bytes, room_bytes, sender.c_str());
    }
    return success;
}

// Sections 6.12 and 6.13: freeing is erroneous for a non-blocking operation and an active
// persistent one.
Error NeighborExchange::check_free() const {
    return fail(MPI_ERR_REQUEST, "the request is a collective operation that is active: it cannot "
                                 "be freed");
}

Blockage NeighborExchange::blockage() const {
    return {.kind = Blockage::Kind::Requests,
            .request_count = 1,
            .communicator = comm,
            .request = static_cast<const Request *>(this)};
}

// Adds the neighbours whose block has not arrived, or that have not received theirs.
void NeighborExchange::add_missing(std::vector<int> &world_ranks) const {
    for (int i = 0; i < receive_count_; ++i)
        if (!receives_[i].completion.done())
            world_ranks.push_back(comm->peer(receives_[i].envelope.source).world_rank());
    for (int i = 0; i < send_count_; ++i)
        if (sends_[i].rendezvous && !sends_[i].rendezvous->completion.done())
            world_ranks.push_back(comm->peer(sends_[i].destination).world_rank());
}

} // namespace thrum
