// The blocking collective operations (MPI 5.0 chapter 6) of the ranks of one process. Arguments are
// checked by the caller (mpi/coll.cc), except for what only a comparison with other ranks can show.
#pragma once
#include "base/error.h"
#include "coll/blocks.h"
#include "coll/meeting.h"
#include "comm/communicator.h"
#include "datatype/op.h"

namespace thrum {

Error barrier(Communicator &comm) MAY_SUSPEND;

// `root` as the caller of MPI passed it: MPI_ROOT and MPI_PROC_NULL in inter-communicators.
Error broadcast(Communicator &comm, const Block &data, int root) MAY_SUSPEND;

// Everybody's block to the root's `receive`, which is a null pointer elsewhere. `send` is a null
// pointer for MPI_IN_PLACE at the root, and for those of the root's group in inter-communicators.
Error gather(Communicator &comm, const Block *send, const Blocks *receive, int root,
             Collective collective) MAY_SUSPEND;
// The reverse.
Error scatter(Communicator &comm, const Blocks *send, const Block *receive, int root,
              Collective collective) MAY_SUSPEND;

// `send` is a null pointer for MPI_IN_PLACE.
Error allgather(Communicator &comm, const Block *send, const Blocks &receive,
                Collective collective) MAY_SUSPEND;
Error alltoall(Communicator &comm, const Blocks *send, const Blocks &receive,
               Collective collective) MAY_SUSPEND;

// A vector that is reduced, element by element, in rank order.
struct Vector {
    const void *send; // equal to `receive` for MPI_IN_PLACE
    void *receive;    // nullptr where there is nothing to receive
    Count count;
    Datatype &type;
    const Op &op;
};

Error reduce(Communicator &comm, const Vector &vector, int root) MAY_SUSPEND;
Error allreduce(Communicator &comm, const Vector &vector) MAY_SUSPEND;
Error scan(Communicator &comm, const Vector &vector) MAY_SUSPEND;
Error exscan(Communicator &comm, const Vector &vector) MAY_SUSPEND;

// `vector.count` is the sum of all ranks' receive counts; this rank receives elements [first,
// first + count) of the result.
struct Share {
    Count first;
    Count count;
};

Error reduce_scatter(Communicator &comm, const Vector &vector, Share mine,
                     Collective collective) MAY_SUSPEND;

} // namespace thrum
