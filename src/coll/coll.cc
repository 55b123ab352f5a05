// The table of all operations, and the entry to the forms that begin here.
#include "coll/coll.h"

#include "coll/rooted.h"
#include "pending/begin.h"

namespace thrum {

const CollectiveForms *const collective_forms[] = {
    &barrier_forms,        &bcast_forms,     &gather_forms,
    &gather_forms, // MPI_Gatherv
    &scatter_forms,
    &scatter_forms, // MPI_Scatterv
    &allgather_forms,
    &allgather_forms, // MPI_Allgatherv
    &alltoall_forms,
    &alltoall_forms, // MPI_Alltoallv
    &alltoall_forms, // MPI_Alltoallw
    &reduce_forms,         &allreduce_forms, &reduce_scatter_forms,
    &reduce_scatter_forms, // MPI_Reduce_scatter_block
    &scan_forms,
    &scan_forms, // MPI_Exscan
};

static_assert(std::size(collective_forms) ==
              static_cast<int>(Collective::Exscan) - static_cast<int>(Collective::Barrier) + 1);

void begin_collective(CollectiveRequest &made, MPI_Request *request) {
    const CollectiveForms &operation = forms_of(made.call.collective);
    begin_nonblocking(made, operation, operation.begin, request);
}

Error initialize_collective(NewCollective made, MPI_Request *request) {
    const CollectiveForms &operation = forms_of(made->call.collective);
    return initialize_persistent(std::move(made), operation, request);
}

NewCollective collective_of(Communicator &comm, const CollectiveCall &call, CallForm form) {
    auto made = std::make_unique<CollectiveRequest>(comm, call.collective, call.root, form);
    made->call = call;
    return made;
}

} // namespace thrum
