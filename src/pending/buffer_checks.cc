#include "pending/buffer_checks.h"

#include "check/moment.h"

namespace thrum {
namespace {

// How many blocks the calling rank sends and receives in an operation that moves data.
struct BlockCounts {
    int sent, received;
};

BlockCounts block_counts(Collective collective, int ranks) {
    switch (collective) {
    case Collective::Bcast:
        return {1, 1};
    case Collective::Scatter:
    case Collective::Scatterv:
        return {ranks, 1};
    case Collective::Alltoall:
    case Collective::Alltoallv:
    case Collective::Alltoallw:
        return {ranks, ranks};
    default: // gathers
        return {1, ranks};
    }
}

// Calls visit(use) for the blocks, or once for those that are one run of elements.
template <class Visit>
void visit_blocks(const Blocks &blocks, int count, BufferAccess access, Visit visit) {
    if (!blocks)
        return;
    if (blocks.is_one_run()) {
        const Block first = blocks[0];
        visit(BufferUse{first.address, first.count * count, first.type, access});
        return;
    }
    for (int i = 0; i < count; ++i) {
        const Block block = blocks[i];
        visit(BufferUse{block.address, block.count, block.type, access});
    }
}

// Calls visit(use) for all buffers of the calling rank. What is sent in place is overwritten later.
template <class Visit>
void visit_buffers(const Communicator &comm, const CollectiveCall &call, Visit visit) {
    if (call.collective == Collective::Barrier)
        return;
    if (is_reduction(call.collective)) {
        const Contribution &mine = call.reduction.mine;
        if (mine.send && mine.send != mine.receive)
            visit(BufferUse{mine.send, mine.count, mine.type, BufferAccess::Read});
        if (mine.receive)
            visit(BufferUse{mine.receive, share_of(call).count, mine.type, BufferAccess::Write});
        return;
    }
    const BlockCounts counts = block_counts(call.collective, comm.remote_size);
    visit_blocks(call.movement.send, counts.sent, BufferAccess::Read, visit);
    visit_blocks(call.movement.receive, counts.received, BufferAccess::Write, visit);
}

} // namespace

void watch_collective(const void *owner, const Communicator &comm, const CollectiveCall &call) {
    visit_buffers(comm, call, [owner](const BufferUse &use) {
        begin_use(owner, use,
                  use.access == BufferAccess::Read ? BufferContents::Fixed
                                                   : BufferContents::Varying);
    });
}

void watch_collective_for_a_moment(const Communicator &comm, const CollectiveCall &call) {
    if (!is_moment_due())
        return;
    watch_collective(&call, comm, call);
    pass_moment();
    forget_uses(&call);
}

void check_collective(const Communicator &comm, const CollectiveCall &call) {
    visit_buffers(comm, call, [](const BufferUse &use) { check_use(use); });
}

} // namespace thrum
