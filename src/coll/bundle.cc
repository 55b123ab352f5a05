#include "coll/bundle.h"

#include "comm/amount_mismatch.h"
#include "comm/call_names.h"

namespace thrum {
namespace {

// Notes that a block which fits has other types than its receiver expects, or fewer data.
[[gnu::cold]] void note_difference(Participant &receiver, int source, const SentBlock &sent,
                                   const Block &block) {
    const std::string from = "rank " + std::to_string(source) +
                             (receiver.comm->inter ? " of the remote group" : ""),
                      to = "rank " + std::to_string(receiver.comm->rank);
    const TypedBytes room{block.type, block.size_bytes()};
    const MemberCall sender{source, 0, sent.call};
    if (!remote_types_match(sent.types, sent.size_bytes, room))
        receiver.note_difference(MPI_ERR_TYPE,
                                 remote_mismatch_text(from, sent.types, sent.size_bytes, to, room),
                                 sender);
    else if (sent.size_bytes < room.bytes)
        receiver.note_difference(
            MPI_ERR_COUNT, remote_amount_text(from, sent.types, sent.size_bytes, to, room), sender);
}

// The texts are those of the operations within a process.
[[gnu::cold]] void blame_truncated(Participant &receiver, int source, size_t sent_bytes,
                                   size_t room_bytes) {
    switch (receiver.call->collective) {
    case Collective::Bcast:
        return receiver.blame(MPI_ERR_TRUNCATE,
                              "the root sends %zu bytes, but there is room for %zu", sent_bytes,
                              room_bytes);
    case Collective::Scatter:
    case Collective::Scatterv:
        return receiver.blame(MPI_ERR_TRUNCATE,
                              "the root sends %zu bytes to rank %d, which has room for %zu",
                              sent_bytes, receiver.comm->rank, room_bytes);
    default:
        return receiver.blame(MPI_ERR_TRUNCATE,
                              "rank %d sends %zu bytes, but there is room for %zu", source,
                              sent_bytes, room_bytes);
    }
}

} // namespace

void compare(Participant &receiver, int source, const SentBlock &sent, const Block &room) {
    const size_t room_bytes = room.size_bytes();
    if (sent.size_bytes > room_bytes) [[unlikely]]
        blame_truncated(receiver, source, sent.size_bytes, room_bytes);
    else if (type_check() != TypeCheck::Off &&
             (sent.size_bytes < room_bytes ||
              !remote_types_match(sent.types, sent.size_bytes, {room.type, room_bytes})))
        note_difference(receiver, source, sent, room);
}

void move_here(const Block &from, const Block &to, const Participant &source,
               Participant &receiver) {
    copy_block(from, to);
    const size_t size_bytes = from.size_bytes();
    const bool is_alike = size_bytes == to.size_bytes() && types_surely_match(*from.type, *to.type);
    if (!is_alike)
        compare(receiver, source.comm->rank,
                {{size_bytes, remote_types({from.type, size_bytes})}, code_of_call(source.place)},
                to);
}

uint64_t common_call(const ProcessPart &part) {
    const uint64_t first = code_of_call(part.locals[0]->place);
    for (const Participant *participant : part.locals)
        if (code_of_call(participant->place) != first)
            return 0;
    return first;
}

// Finds the root from what the local members pass. In an inter-communicator a member passes
// MPI_ROOT, the root's rank or MPI_PROC_NULL, depending on its group. If all local members pass
// MPI_PROC_NULL, this process has no part in the operation.
Root find_root(const ProcessPart &part) {
    Root root;
    for (size_t i = 0; i < part.locals.size(); ++i) {
        const int said = part.call(i).root;
        if (!part.inter) {
            root.index = part.index_of(0, said);
            root.rank = said;
            if (part.rank_of(i) == said)
                root.local = static_cast<int>(i);
        } else if (said == MPI_ROOT) {
            root.index = part.span.here;
            root.rank = part.rank_of(i);
            root.side = 1 - part.side_of(i);
            root.local = static_cast<int>(i);
        } else if (said >= 0) {
            root.side = part.side_of(i);
            root.index = part.index_of(1 - root.side, said);
            root.rank = said;
        }
    }
    return root;
}

} // namespace thrum
