// Inter-communicators (MPI 5.0 section 7.6): creating one from two groups, and merging them.
//
// The two leaders meet first, in an assembly that is only theirs (join_groups()). Then each
// leader's group meets, and everybody gets what the leader has got (spread_joined()). The same two
// steps serve MPI_Comm_spawn and ports.
#include "comm/assembly.h"
#include "comm/errhandler.h"
#include "comm/span.h"
#include "entry/calls.h"
#include "mpi/creation.h"

#include <vector>

namespace thrum {

// Runs in the leader that arrives last. Side 0 is the first proposal's group; callers order the
// leaders so that the same program always gets the same sides.
void join_groups(const Proposals &proposals, const Group &) {
    Proposal &first = *proposals[0], &second = *proposals[1];
    RankIndex in_first(*first.group);
    for (int rank = 0; rank < second.group->size; ++rank)
        if (in_first.rank_of((*second.group)[rank]) != MPI_UNDEFINED)
            first.error = second.error =
                fail(MPI_ERR_COMM,
                     "the local and the remote group have a process in common (rank %d of the "
                     "job)",
                     (*second.group)[rank].world_rank());
    if (first.error)
        return;
    Context *context = proposals.context(*first.group, second.group);
    // The references that assign() takes belong to the leaders; each member gets its own later.
    first.assign(context, *first.group, 0, second.group, 0);
    second.assign(context, *second.group, 0, first.group, 1);
}

// Returns the context that a leader has got. If the leader is in another process, it is found by
// its id: the pointer means nothing here.
static Context *context_found(const Proposal &leader) {
    if (!leader.is_copy)
        return leader.context;
    return leader.side == 0 ? &spanning_context(leader.context_id, *leader.local, leader.remote)
                            : &spanning_context(leader.context_id, *leader.remote, leader.local);
}

// Both leaders make the same group, in the same order, so their keys are equal.
void join_leader(const std::string &meeting, int first, int second, bool is_first, Proposal &mine) {
    Group *leaders = new_group({&known_process(first), &known_process(second)});
    AssemblyKey key;
    key.purpose = AssemblyKey::Purpose::Join;
    key.string_tag = meeting;
    key.group = leaders;
    assemble_proposals(key, is_first ? 0 : 1, mine, join_groups);
    release(*leaders);
}

// The leader's proposal is copied first: its own entry is assigned in the loop, too.
void assign_joined(Communicator &local_comm, int leader, const Proposals &proposals) {
    const Proposal found = *proposals[static_cast<size_t>(leader)];
    Context *context = context_found(found);
    for (int rank = 0; rank < local_comm.size; ++rank)
        proposals[static_cast<size_t>(rank)]->assign(context, *found.local, rank, found.remote,
                                                     found.side);
}

// The group meets in create_together(); the leader's proposal has what join_groups() found. The
// leader's own references are dropped when every member has its own.
Error spread_joined(Communicator &local_comm, int leader, Proposal &mine, MPI_Comm *newintercomm) {
    Group *remote = mine.remote; // keeps the leader's references until all have theirs
    Error error = create_together(local_comm, mine, [&](const Proposals &proposals) {
        assign_joined(local_comm, leader, proposals);
    });
    if (local_comm.rank == leader && remote) {
        release(*local_comm.group);
        release(*remote);
    }
    if (!error)
        *newintercomm = finish_creation(local_comm, mine);
    return error;
}

namespace mpi {
namespace {

// Lets the two leaders meet under `key`, which is complete except for its group. Both compute the
// same order of the two from their world ranks.
void meet_leader(Process &other, int remote_leader, AssemblyKey &key, Proposal &mine) MAY_SUSPEND {
    Process &self = current_process();
    if (&self == &other) {
        mine.error = fail(MPI_ERR_RANK, "remote_leader is %d, which is the local leader itself",
                          remote_leader);
        return;
    }
    // Both leaders compute the same order, so they have equal keys and the same sides.
    bool self_first = self.world_rank() < other.world_rank();
    Group *leaders = self_first ? new_group({&self, &other}) : new_group({&other, &self});
    key.group = leaders;
    assemble_proposals(key, self_first ? 0 : 1, mine, join_groups);
    release(*leaders);
}

// The local leader's part: checks what is significant only there, and meets the remote leader. An
// error goes into the proposal, so that all members of the local group get it.
void meet_remote_leader(const Communicator *peer_comm, int remote_leader, int tag,
                        Proposal &mine) MAY_SUSPEND {
    if (!peer_comm) {
        mine.error = fail(MPI_ERR_COMM, "peer_comm is not a communicator");
        return;
    }
    if (remote_leader < 0 || remote_leader >= peer_comm->remote_size) {
        mine.error = fail(MPI_ERR_RANK, "remote_leader is %d, but peer_comm has %d ranks",
                          remote_leader, peer_comm->remote_size);
        return;
    }
    AssemblyKey key;
    key.purpose = AssemblyKey::Purpose::Leaders;
    key.context_id = peer_comm->context->id;
    key.tag = tag;
    meet_leader(peer_comm->peer(remote_leader), remote_leader, key, mine);
}

} // namespace

// Only the leaders use peer_comm, remote_leader and tag.
Error intercomm_create(Communicator &local_comm, int local_leader, Communicator *peer_comm,
                       int remote_leader, int tag, MPI_Comm *newintercomm) {
    if (local_comm.inter)
        return fail(MPI_ERR_COMM, "local_comm is an inter-communicator");
    if (local_leader < 0 || local_leader >= local_comm.size)
        return fail(MPI_ERR_RANK, "local_leader is %d, but local_comm has %d ranks", local_leader,
                    local_comm.size);
    Proposal mine;
    mine.group = local_comm.group;
    if (local_comm.rank == local_leader)
        meet_remote_leader(peer_comm, remote_leader, tag, mine);
    return spread_joined(local_comm, local_leader, mine, newintercomm);
}

namespace {

// Does the local leader's part of MPI_Intercomm_create_from_groups, before it meets its group.
void meet_leader_of_group(Group *remote_group, int remote_leader, const char *stringtag,
                          Proposal &mine) MAY_SUSPEND {
    if (!remote_group) {
        mine.error = fail(MPI_ERR_GROUP, "remote_group is not a group");
        return;
    }
    if (remote_leader < 0 || remote_leader >= remote_group->size) {
        mine.error = fail(MPI_ERR_RANK, "remote_leader is %d, but remote_group has %d members",
                          remote_leader, remote_group->size);
        return;
    }
    AssemblyKey key;
    key.purpose = AssemblyKey::Purpose::LeadersFromGroups;
    key.string_tag = stringtag;
    meet_leader((*remote_group)[remote_leader], remote_leader, key, mine);
}

// A build function: distributes the result of the leader, which has color 1, among the local group.
void spread_from_leader(const Proposals &proposals, const Group &group) {
    const Proposal *leader = nullptr;
    for (const Proposal *proposal : proposals)
        if (proposal->color == 1)
            leader = proposal;
    if (!leader) {
        for (Proposal *proposal : proposals)
            proposal->error =
                fail(MPI_ERR_ARG, "local_leader is not the same in all processes of local_group");
        return;
    }
    const Proposal found = *leader;
    Context *context = found.error ? nullptr : context_found(found);
    for (int rank = 0; rank < group.size; ++rank) {
        Proposal &proposal = *proposals[static_cast<size_t>(rank)];
        if (found.error)
            proposal.error = found.error;
        else
            proposal.assign(context, *found.local, rank, found.remote, found.side);
    }
}

} // namespace

// The leaders meet first, then each meets its group. If a group is empty, the result is
// MPI_COMM_NULL.
Error intercomm_create_from_groups(Group &local_group, int local_leader, Group *remote_group,
                                   int remote_leader, const char *stringtag, Info *info,
                                   Errhandler &errhandler, MPI_Comm *newintercomm) {
    if (Error error = check_string_tag(stringtag))
        return error;
    *newintercomm = MPI_COMM_NULL;
    if (local_group.size == 0 || (remote_group && remote_group->size == 0))
        return success;
    Process &process = current_process();
    int rank = local_group.rank_of(process);
    if (rank == MPI_UNDEFINED)
        return fail(MPI_ERR_GROUP, "local_group does not contain the calling process");
    if (local_leader < 0 || local_leader >= local_group.size)
        return fail(MPI_ERR_RANK, "local_leader is %d, but local_group has %d members",
                    local_leader, local_group.size);
    Proposal mine;
    mine.group = &local_group;
    bool leader = rank == local_leader;
    mine.color = leader;
    if (leader)
        meet_leader_of_group(remote_group, remote_leader, stringtag, mine);
    Group *remote = mine.remote; // keeps the leader's references until all have theirs
    AssemblyKey key;
    key.purpose = AssemblyKey::Purpose::FromGroups;
    key.string_tag = stringtag;
    key.group = &local_group;
    assemble_proposals(key, rank, mine, spread_from_leader);
    if (leader && remote) {
        release(local_group);
        release(*remote);
    }
    if (mine.error)
        return mine.error;
    *newintercomm = finish_creation(*process.self, mine);
    return finish_creation_from_group(**newintercomm, local_group.session, errhandler, info);
}

// One member decides the order of the groups for all. `high` must be the same in a group, which
// only that member can check.
Error intercomm_merge(Communicator &intercomm, int high, MPI_Comm *newintracomm) {
    if (!intercomm.inter)
        return fail(MPI_ERR_COMM, "intercomm is %s, which is not an inter-communicator",
                    *intercomm.name ? intercomm.name : "an intra-communicator");
    Proposal mine;
    mine.color = high != 0;
    Error error = create_together(intercomm, mine, [&](const Proposals &proposals) {
        auto first_size =
            static_cast<size_t>(intercomm.side == 0 ? intercomm.size : intercomm.remote_size);
        for (size_t i = 0; i < proposals.size(); ++i)
            if (proposals[i]->color != proposals[i < first_size ? 0 : first_size]->color) {
                proposals[i]->error =
                    fail(MPI_ERR_ARG, "high is not the same in all processes of a group");
                return;
            }
        // The group with high = false comes first; if both pass the same value, side 0 does.
        bool swap = proposals[0]->color > proposals[first_size]->color;
        std::vector<Process *> members;
        auto member_at = [&](size_t rank) {
            return swap ? (rank + first_size) % proposals.size() : rank;
        };
        for (size_t rank = 0; rank < proposals.size(); ++rank)
            members.push_back(&member_process(intercomm, static_cast<int>(member_at(rank))));
        Group *group = new_group(std::move(members));
        Context *context = proposals.context(*group);
        for (size_t rank = 0; rank < proposals.size(); ++rank)
            proposals[member_at(rank)]->assign(context, *group, static_cast<int>(rank));
        release(*group);
    });
    if (!error)
        *newintracomm = finish_creation(intercomm, mine);
    return error;
}

} // namespace mpi
} // namespace thrum
