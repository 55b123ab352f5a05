// Non-blocking allgather(v) and alltoall(v,w): small gathered data go through the operation's room,
// the rest is copied from the members' buffers, a piece for each receiver.
#include "coll/collective_work.h"
#include "coll/joint_operations.h"

#include <algorithm>

namespace thrum {
namespace {

constexpr size_t allgather_room_bytes_max = 32768; // of all contributions together

void copy_into(CollectiveRequest &to, int rank, const Block &from, const Block &room) {
    if (copy_block(from, room)) [[likely]]
        return;
    to.fault.kind = Fault::Kind::Truncated;
    to.fault.peer = rank;
    to.fault.sent_bytes = from.size_bytes();
    to.fault.room_bytes = room.size_bytes();
}

Block gathered_block(const CollectiveRequest &from) {
    const Movement &movement = from.call.movement;
    return movement.send ? movement.send[0] : movement.receive[from.comm->rank];
}

// A piece: everything that one member receives.
void allgather_piece(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    Contributors sources = sources_of(to);
    for (int rank = 0; rank < sources.count; ++rank) {
        int member = sources.first + rank;
        if (member != to.member || to.call.movement.send)
            copy_into(to, rank, gathered_block(*operation.requests[member]),
                      to.call.movement.receive[rank]);
    }
}

void alltoall_piece(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    Contributors sources = sources_of(to);
    for (int rank = 0; rank < sources.count; ++rank)
        copy_into(to, rank, operation.requests[sources.first + rank]->sent()[to.comm->rank],
                  to.call.movement.receive[rank]);
}

} // namespace

void finish_allgather(CollectiveOperation &operation, CollectiveRequest &last) {
    int members = operation.owner->members;
    size_t total_bytes = 0;
    for (int member = 0; member < members; ++member)
        total_bytes += gathered_block(*operation.requests[member]).size_bytes();
    if (last.comm->inter || total_bytes > allgather_room_bytes_max) {
        size_t size_bytes = total_bytes * static_cast<size_t>(last.comm->size);
        do_work(operation, last, members, size_bytes, allgather_piece, finish_in_place);
        return;
    }
    operation.room_bytes = total_bytes;
    char *to = operation.room.at_least(total_bytes);
    for (int member = 0; member < members; ++member)
        to += pack_block(gathered_block(*operation.requests[member]), to);
    complete_all(operation, Result::InRoom, &last);
}

void finish_alltoall(CollectiveOperation &operation, CollectiveRequest &last) {
    // An estimate for who asks for help: blocks may have different sizes.
    auto members = static_cast<size_t>(operation.owner->members);
    size_t block_bytes = std::max<size_t>(64, last.call.movement.receive[0].size_bytes());
    do_work(operation, last, operation.owner->members, members * members * block_bytes,
            alltoall_piece, finish_in_place);
}

} // namespace thrum
