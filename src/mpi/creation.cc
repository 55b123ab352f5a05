#include "mpi/creation.h"

#include "comm/errhandler.h"
#include "comm/hints.h"
#include "mpi/argument.h"

#include <cstring>

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
    set_session(*comm, parent.session);
    release(*proposal.local);
    if (proposal.remote)
        release(*proposal.remote);
    return comm;
}

Error finish_creation_from_group(Communicator &comm, Session *session, Errhandler &errhandler,
                                 Info *info) {
    set_session(comm, session);
    take_hints(comm.info, info);
    return set_errhandler(comm.errhandler, Errhandler::Kind::Comm, errhandler);
}

Error named_info(const char *name, MPI_Info handle, Info *&info) {
    info = handle == MPI_INFO_NULL ? nullptr : find_info(handle);
    return info || handle == MPI_INFO_NULL
               ? success
               : arg::bad_handle(MPI_ERR_INFO, name, handle, "info object");
}

Error check_string_tag(const char *stringtag) {
    if (!stringtag)
        return fail(MPI_ERR_ARG, "stringtag is a null pointer");
    size_t length = std::strlen(stringtag);
    return length < MPI_MAX_STRINGTAG_LEN
               ? success
               : fail(MPI_ERR_ARG, "stringtag has %zu characters, at most %d are allowed", length,
                      MPI_MAX_STRINGTAG_LEN - 1);
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
