// Creation and end of communicator objects. A context is shared by its members' objects and freed
// with the last of them; everything else that an object refers to is counted by itself.
#include "comm/communicator_lifecycle.h"

#include "comm/attributes.h"
#include "comm/duplicates.h"
#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/info.h"
#include "comm/process.h"
#include "comm/session.h"
#include "comm/span.h"
#include "comm/topology.h"

namespace thrum {
namespace {

constinit ObjectPool<Communicator> pool;

} // namespace

void abandon(Context &context, int members) {
    // acq_rel [context-1]: the last member frees after everybody's use of the meeting.
    if (context.members.fetch_sub(members, std::memory_order_acq_rel) != members)
        return;
    if (context.span)
        forget_spanning_context(context);
    if (context.duplicates)
        free_duplicates(context.duplicates);
    delete &context;
}

Communicator *new_communicator(Process &process, Context &context, Group &group, int rank,
                               Group *remote_group, int side) {
    Communicator *comm = pool.make();
    comm->process = &process;
    comm->context = &context;
    comm->group = &group;
    comm->remote_group = remote_group ? remote_group : &group;
    comm->rank = rank;
    comm->size = group.size;
    comm->remote_size = comm->remote_group->size;
    comm->inter = remote_group != nullptr;
    comm->side = side;
    const int member = side == 1 ? comm->remote_size + rank : rank;
    comm->meeting_member = context.span ? context.span->local_of(member) : member;
    comm->errhandler = &errors_are_fatal;
    retain(group);
    if (remote_group)
        retain(*remote_group);
    return comm;
}

void set_session(Communicator &comm, Session *session) {
    if (session)
        retain(*session);
    if (comm.session)
        release(*comm.session);
    comm.session = session;
}

void release(Communicator &comm) {
    // acq_rel [comm-1]: the last reference frees after everybody's use.
    if (comm.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    forget_attributes(comm.attributes);
    delete_info(comm.info);
    if (comm.topology)
        release(*comm.topology);
    comm.extensions.destroy();
    if (comm.session)
        release(*comm.session);
    release(*comm.errhandler);
    if (comm.inter)
        release(*comm.remote_group);
    release(*comm.group);
    abandon(*comm.context, 1);
    pool.destroy(&comm);
}

} // namespace thrum
