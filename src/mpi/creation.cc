#include "mpi/creation.h"

#include "comm/errhandler.h"

namespace thrum {

void Proposal::assign(Context &new_context, Group &local_group, int new_rank, Group *remote_group,
                      int new_side) {
    context = &new_context;
    local = &local_group;
    remote = remote_group;
    rank = new_rank;
    side = new_side;
    retain(local_group);
    if (remote_group)
        retain(*remote_group);
}

Process &member_process(const Communicator &comm, int member) {
    if (!comm.inter)
        return (*comm.group)[member];
    const Group &first = comm.side == 0 ? *comm.group : *comm.remote_group;
    const Group &second = comm.side == 0 ? *comm.remote_group : *comm.group;
    return member < first.size ? first[member] : second[member - first.size];
}

MPI_Comm finish_creation(Communicator &parent, Proposal &proposal) {
    if (!proposal.context)
        return MPI_COMM_NULL;
    Communicator *comm = new_communicator(*parent.process, *proposal.context, *proposal.local,
                                          proposal.rank, proposal.remote, proposal.side);
    retain(*parent.errhandler);
    comm->errhandler = parent.errhandler;
    comm->topology = proposal.topology;
    release(*proposal.local);
    if (proposal.remote)
        release(*proposal.remote);
    return comm;
}

bool spread_error(const Proposals &proposals) {
    Error first;
    for (const Proposal *proposal : proposals)
        if (!first)
            first = proposal->error;
    if (first)
        for (Proposal *proposal : proposals)
            if (!proposal->error)
                proposal->error = first;
    return static_cast<bool>(first);
}

} // namespace thrum
