#include "coll/bundle.h"

namespace thrum {

void blame_truncation(Participant &receiver, int source, size_t sent_bytes, const Block &room) {
    if (sent_bytes > room.size_bytes())
        receiver.blame(MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, but there is room for %zu",
                       source, sent_bytes, room.size_bytes());
}

void move_here(const Block &from, const Block &to, int source, Participant &receiver) {
    copy_block(from, to);
    blame_truncation(receiver, source, from.size_bytes(), to);
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
