#include "inspect/wait_target.h"

#include "comm/group.h"
#include "pt2pt/request.h"

#include <algorithm>

namespace thrum {
namespace {

using observe::WaitTarget;

constexpr int requests_examined_max = 64; // bounds the time that a wait for many requests takes

void set_message(WaitTarget &target, const Communicator *comm, int peer, int tag) {
    target.peer = world_rank_of_peer(comm, peer);
    target.tag = tag == MPI_ANY_TAG ? WaitTarget::any : tag;
}

void set_request(WaitTarget &target, const Request &request) {
    if (request.kind == RequestKind::Receive) {
        const Envelope &envelope = static_cast<const ReceiveRequest &>(request).envelope;
        set_message(target, request.comm, envelope.source, envelope.tag);
    } else if (request.kind == RequestKind::Send) {
        set_message(target, request.comm, request.source, request.tag);
    }
}

// Returns the first request of the blockage that is not complete; nullptr: none is known.
const Request *first_request(const Blockage &blockage) {
    if (blockage.request)
        return static_cast<const Request *>(blockage.request);
    const auto *requests = static_cast<const MPI_Request *>(blockage.requests);
    const int count = requests ? std::min(blockage.requests_length, requests_examined_max) : 0;
    for (int i = 0; i < count; ++i)
        if (is_live_request(requests[i]) && requests[i]->active && !requests[i]->completion.done())
            return requests[i];
    return nullptr;
}

} // namespace

int world_rank_of_peer(const Communicator *comm, int peer) {
    if (peer == MPI_ANY_SOURCE)
        return WaitTarget::any;
    const Group *group = comm ? (comm->remote_group ? comm->remote_group : comm->group) : nullptr;
    return group && peer >= 0 && peer < group->size ? (*group)[peer].world_rank()
                                                    : WaitTarget::unknown;
}

WaitTarget find_wait_target(const Blockage &blockage) {
    WaitTarget target;
    target.kind = static_cast<uint64_t>(blockage.kind) + 1;
    const auto *comm = static_cast<const Communicator *>(blockage.communicator);
    switch (blockage.kind) {
    case Blockage::Kind::Receive:
    case Blockage::Kind::Send:
    case Blockage::Kind::Probe:
        set_message(target, comm, blockage.peer, blockage.tag);
        break;
    case Blockage::Kind::Collective:
        if (comm && comm->context) {
            target.context = comm->context->id;
            target.members = static_cast<uint32_t>(comm->size);
        }
        break;
    case Blockage::Kind::Requests:
        if (const Request *request = first_request(blockage))
            set_request(target, *request);
        break;
    case Blockage::Kind::Described:
        break;
    }
    return target;
}

} // namespace thrum
