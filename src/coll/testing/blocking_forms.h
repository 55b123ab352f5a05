// For tests: the blocking forms of the operations, as functions.
#pragma once
#include "coll/coll.h"

#include <mpi.h>

namespace thrum {

// A vector that is reduced.
struct Vector {
    const void *send; // equal to `receive` for MPI_IN_PLACE
    void *receive;    // nullptr where there is nothing to receive
    Count count;
    Datatype &type;
    const Op &op;

    Reduction with(Share share) const {
        return reduction_of(send, receive, count, type, op, share);
    }

    operator Reduction() const { return with({}); }
};

// One block, or (nullptr) none.
inline Blocks blocks_of(const Block *block) {
    return block ? Blocks::equal(block->address, block->count, *block->type) : Blocks();
}

inline Blocks blocks_of(const Blocks *blocks) {
    return blocks ? *blocks : Blocks();
}

inline Error broadcast(Communicator &comm, const Block &data, int root) {
    const bool is_root = comm.inter ? root == MPI_ROOT : root == comm.rank;
    const Blocks mine = root == MPI_PROC_NULL ? Blocks() : blocks_of(&data);
    return run_collective(
        comm, {Collective::Bcast, root, is_root ? mine : Blocks(), is_root ? Blocks() : mine});
}

// `send` is nullptr for MPI_IN_PLACE, and where nothing is sent; `receive` likewise.
inline Error gather(Communicator &comm, const Block *send, const Blocks *receive, int root,
                    Collective collective) {
    return run_collective(comm, {collective, root, blocks_of(send), blocks_of(receive)});
}

inline Error scatter(Communicator &comm, const Blocks *send, const Block *receive, int root,
                     Collective collective) {
    return run_collective(comm, {collective, root, blocks_of(send), blocks_of(receive)});
}

inline Error allgather(Communicator &comm, const Block *send, const Blocks &receive,
                       Collective collective) {
    return run_collective(comm, {collective, -1, blocks_of(send), receive});
}

inline Error alltoall(Communicator &comm, const Blocks *send, const Blocks &receive,
                      Collective collective) {
    return run_collective(comm, {collective, -1, blocks_of(send), receive});
}

inline Error reduce(Communicator &comm, const Vector &vector, int root) {
    return run_collective(comm, {Collective::Reduce, root, vector});
}

inline Error allreduce(Communicator &comm, const Vector &vector) {
    return run_collective(comm, {Collective::Allreduce, -1, vector});
}

inline Error scan(Communicator &comm, const Vector &vector) {
    return run_collective(comm, {Collective::Scan, -1, vector});
}

inline Error exscan(Communicator &comm, const Vector &vector) {
    return run_collective(comm, {Collective::Exscan, -1, vector});
}

inline Error reduce_scatter(Communicator &comm, const Vector &vector, Share mine,
                            Collective collective) {
    return run_collective(comm, {collective, -1, vector.with(mine)});
}

} // namespace thrum
