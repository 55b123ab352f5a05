// Communicators (MPI 5.0 chapter 7): queries, names, hints, and freeing. Creation is in
// comm_create.cc and intercomm.cc.
#include "coll/coll.h"
#include "comm/attributes.h"
#include "comm/errhandler.h"
#include "comm/hints.h"
#include "comm/span.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/tolerance.h"
#include "pt2pt/buffered.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/request_pool.h"
#include "rank/added.h"

#include <algorithm>
#include <cstdio>

namespace thrum::mpi {
namespace {

// Returns the weaker of two results of a comparison. The constants are ordered from MPI_IDENT to
// MPI_UNEQUAL.
int worse(int a, int b) {
    return std::max(a, b);
}

static_assert(MPI_IDENT < MPI_CONGRUENT && MPI_CONGRUENT < MPI_SIMILAR &&
              MPI_SIMILAR < MPI_UNEQUAL);

// Deletes the attributes and releases the handle. The object lives on while operations are pending.
// After an error of a delete function the communicator stays.
Error free_communicator(MPI_Comm *handle) {
    Communicator &comm = *find_communicator(*handle);
    if (Error error = delete_attributes(comm.attributes, *handle))
        return blame(comm, error);
    // MPI_Comm_get_parent returns MPI_COMM_NULL from now on.
    if (comm.process->parent == &comm)
        comm.process->parent = nullptr;
    release(comm);
    *handle = MPI_COMM_NULL;
    return success;
}

// Checks a handle that the entry point does not check, since the call changes it.
Error check_may_be_freed(MPI_Comm handle) {
    if (!find_communicator(handle))
        return arg::bad_handle(MPI_ERR_COMM, "comm", handle, "communicator");
    if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF)
        return fail(MPI_ERR_COMM, "comm is %s, which cannot be freed",
                    handle == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
    return success;
}

} // namespace

Error comm_size(Communicator &comm, int *size) {
    *size = comm.size;
    return success;
}

Error comm_rank(Communicator &comm, int *rank) {
    *rank = comm.rank;
    return success;
}

// Only inter-communicators have a remote group.
Error comm_remote_size(Communicator &comm, int *size) {
    if (!comm.inter)
        return fail(MPI_ERR_COMM, "comm is %s, which is not an inter-communicator",
                    *comm.name ? comm.name : "an intra-communicator");
    *size = comm.remote_size;
    return success;
}

Error comm_test_inter(Communicator &comm, int *flag) {
    *flag = comm.inter;
    return success;
}

Error comm_group(Communicator &comm, MPI_Group *group) {
    *group = handle_of(*group_of_session(*comm.group, comm.session));
    return success;
}

Error comm_remote_group(Communicator &comm, MPI_Group *group) {
    if (!comm.inter)
        return fail(MPI_ERR_COMM, "comm is %s, which is not an inter-communicator",
                    *comm.name ? comm.name : "an intra-communicator");
    *group = handle_of(*group_of_session(*comm.remote_group, comm.session));
    return success;
}

// Only the same object is identical. Equal groups in the same order are congruent; for
// inter-communicators both groups count, and the worse result holds.
Error comm_compare(Communicator &comm1, Communicator &comm2, int *result) {
    *result = MPI_UNEQUAL;
    if (&comm1 == &comm2) {
        *result = MPI_IDENT;
    } else if (comm1.inter == comm2.inter) {
        *result = worse(MPI_CONGRUENT, compare_groups(*comm1.group, *comm2.group));
        if (comm1.inter)
            *result = worse(*result, compare_groups(*comm1.remote_group, *comm2.remote_group));
    }
    return success;
}

Error comm_set_name(Communicator &comm, const char *comm_name) {
    std::snprintf(comm.name, sizeof comm.name, "%s", comm_name);
    return success;
}

// MPI_COMM_NULL has a name, too.
Error comm_get_name(Communicator *comm, char *comm_name, int *resultlen) {
    const char *name = comm ? comm->name : "MPI_COMM_NULL";
    *resultlen = std::snprintf(comm_name, MPI_MAX_OBJECT_NAME, "%s", name);
    return success;
}

Error comm_set_info(Communicator &comm, Info *info) {
    if (!info)
        return fail(MPI_ERR_INFO, "info is MPI_INFO_NULL");
    take_hints(comm.info, info);
    return success;
}

// Returns all hints that the library knows, with their current values; the program frees the info.
Error comm_get_info(Communicator &comm, MPI_Info *info_used) {
    Info *used = all_hints(comm.info);
    if (comm.session) // section 11.4.3
        if (const auto *kinds = comm.session->hints->get("mpi_memory_alloc_kinds"))
            used->set("mpi_memory_alloc_kinds", kinds->c_str());
    *info_used = used;
    return success;
}

// Section 11.8.2: the communicator was made "implicitly inside of MPI_INIT".
Error comm_get_parent(MPI_Comm *parent) {
    Process &process = current_process();
    *parent = process.parent && process.valid_world ? process.parent : MPI_COMM_NULL;
    return success;
}

Error comm_free(MPI_Comm *comm) {
    if (Error error = check_may_be_freed(*comm))
        return error;
    return free_communicator(comm);
}

// Section 11.10.4: like MPI_Comm_free, but waits until the pending communication is complete: first
// this member's, then, when all have arrived, that of all members. Afterwards the processes need
// not be connected any longer.
Error comm_disconnect(MPI_Comm *comm) {
    if (Error error = check_may_be_freed(*comm))
        return error;
    Communicator &object = *find_communicator(*comm);
    flush_buffer(buffer_of(object));
    finish_freed_sends(object);
    // When all members are here, no message on this communicator is still to be sent.
    if (Error error = meet(object, nullptr, Collective::Disconnect))
        return blame(object, error);
    const Error unmatched = allow_cancelled(finish_freed_receives(object));
    // Members elsewhere have asked this process for everything in transit, so it may end
    // afterwards.
    if (object.context->span)
        if (Error error = meet(object, nullptr, Collective::Disconnect))
            return blame(object, error);
    if (unmatched)
        (void)blame(object, unmatched);
    if (object.context->span)
        object.context->span->is_disconnected.store(true, std::memory_order_relaxed);
    // Its other group may be spawned ranks of this process, which have ended: their memory can be
    // reused now.
    bool may_be_of_children = object.inter;
    Error error = free_communicator(comm);
    if (may_be_of_children)
        reclaim_ranks();
    return error ? error : unmatched;
}

} // namespace thrum::mpi
