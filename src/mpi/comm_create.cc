// Creates communicators from others (MPI 5.0 section 7.4.2): duplicates, subsets, splits.
//
// Duplicates need no meeting (comm/duplicates.h). The others use create_together() (creation.h): a
// build function runs in one member, or in one of each process, and assigns to every member its new
// group, rank and context.
#include "coll/coll.h"
#include "comm/assembly.h"
#include "comm/attributes.h"
#include "comm/duplicates.h"
#include "comm/errhandler.h"
#include "comm/hints.h"
#include "comm/topology.h"
#include "entry/calls.h"
#include "exchange/process_tree.h"
#include "mpi/creation.h"
#include "pending/between_processes.h"
#include "pt2pt/wait.h"

#include <algorithm>
#include <cstring>

namespace thrum::mpi {
namespace {

// Distributes a new context id from the first process of the communicator to the others, as a
// collective operation of its own (Collective::ContextId).
Flow context_id_flow(ProcessPart &part) MAY_SUSPEND {
    SharedBytes packet;
    if (part.span.here == 0) {
        const uint32_t id = new_spanning_ids(1);
        packet = SharedBytes::of_size(sizeof id);
        std::memcpy(packet.data(), &id, sizeof id);
    }
    co_await spread(part, all_processes(part), 0, packet);
    for (size_t i = 0; i < part.locals.size(); ++i)
        unpack_block(packet.data(), packet.size_bytes(), part.call(i).movement.receive[0]);
}

// Makes a duplicate; copies attributes, hints, error handler and topology. `agreement` becomes a
// request if the duplicate can be used only when that is complete.
Error duplicate(Communicator &comm, Info *info, MPI_Comm *newcomm,
                MPI_Request *agreement) MAY_SUSPEND {
    Attributes *attributes = nullptr;
    Error error = copy_attributes(comm.attributes, handle_of(comm), attributes);
    // The duplicate is taken even after an error: the n-th duplicate of this member must be the
    // n-th of the others.
    Context &context = next_duplicate(comm);
    // A context that spans processes has no id yet; members agree on it meanwhile.
    if (context.span) {
        const Blocks id = Blocks::equal(&context.id, sizeof context.id, *find_datatype(MPI_BYTE));
        NewCollective made =
            collective_of(comm, {Collective::ContextId, -1, Blocks(), id}, NonblockingForm);
        made->accept_arguments();
        begin_between_processes(*made, context_id_flow);
        *agreement = made.release();
    }
    if (error) {
        (void)thrum::wait(*agreement, MPI_STATUS_IGNORE);
        abandon(context, 1);
        return error;
    }
    Communicator *copy = new_communicator(*comm.process, context, *comm.group, comm.rank,
                                          comm.inter ? comm.remote_group : nullptr, comm.side);
    copy->attributes = attributes;
    take_hints(copy->info, info);
    retain(*comm.errhandler);
    copy->errhandler = comm.errhandler;
    copy->topology = comm.topology;
    if (copy->topology)
        retain(*copy->topology);
    set_session(*copy, comm.session);
    *newcomm = copy;
    return success;
}

// The members with one color, by side, ordered by (key, rank).
struct Part {
    int color = 0;
    std::vector<int> members[2];

    // Returns the members of one side as processes, in their order.
    std::vector<Process *> processes(const Communicator &comm, int side) const {
        std::vector<Process *> result;
        for (int member : members[side])
            result.push_back(&member_process(comm, member));
        return result;
    }
};

// Groups the members by color. Parts are ordered by color, so all processes ask for contexts in the
// same order.
std::vector<Part> parts_by_color(const Communicator &comm, const Proposals &proposals) {
    std::vector<int> order;
    for (size_t i = 0; i < proposals.size(); ++i)
        if (proposals[i]->color != MPI_UNDEFINED)
            order.push_back(static_cast<int>(i));
    auto place = [&](int member) {
        const Proposal &p = *proposals[static_cast<size_t>(member)];
        return std::pair(p.color, p.key);
    };
    // Stable: members are in rank order, which breaks ties (section 7.4.2).
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
    int side_1_begins = !comm.inter ? comm.size : comm.side == 0 ? comm.size : comm.remote_size;
    std::vector<Part> parts;
    for (int member : order) {
        int color = place(member).first;
        if (parts.empty() || parts.back().color != color)
            parts.push_back({color, {}});
        parts.back().members[member >= side_1_begins].push_back(member);
    }
    return parts;
}

// Makes one communicator: its context and groups are created once and assigned to all its members.
void assign_part(const Communicator &comm, const Proposals &proposals, const Part &part) {
    // A member's rank is its place in the part.
    auto assign_side = [&](Context *context, int side, Group &local, Group *remote) {
        for (size_t rank = 0; rank < part.members[side].size(); ++rank)
            proposals[static_cast<size_t>(part.members[side][rank])]->assign(
                context, local, static_cast<int>(rank), remote, side);
    };
    size_t sizes[2] = {part.members[0].size(), part.members[1].size()};
    if (comm.inter && (sizes[0] == 0 || sizes[1] == 0))
        return; // section 7.4.2: a color that the other group lacks gives MPI_COMM_NULL
    Group *groups[2] = {new_group(part.processes(comm, 0)), new_group(part.processes(comm, 1))};
    Context *context = proposals.context(*groups[0], comm.inter ? groups[1] : nullptr);
    assign_side(context, 0, *groups[0], comm.inter ? groups[1] : nullptr);
    assign_side(context, 1, *groups[1], groups[0]);
    release(*groups[0]);
    release(*groups[1]);
}

} // namespace
} // namespace thrum::mpi

void thrum::build_split(const Communicator &comm, const Proposals &proposals) {
    for (const mpi::Part &part : mpi::parts_by_color(comm, proposals))
        mpi::assign_part(comm, proposals, part);
}

namespace thrum::mpi {
namespace {

// Checks that all members of `group` are members of the communicator.
Error check_subset(const Communicator &comm, const Group &group) {
    if (&group == comm.group)
        return success;
    RankIndex index(*comm.group);
    for (int rank = 0; rank < group.size; ++rank)
        if (index.rank_of(group[rank]) == MPI_UNDEFINED)
            return fail(MPI_ERR_GROUP,
                        "group has member %d (rank %d in MPI_COMM_WORLD), which is not in %s", rank,
                        group[rank].world_rank(), *comm.name ? comm.name : "the communicator");
    return success;
}

// MPI_Comm_create: members may pass several groups if these are disjoint. A group is identified by
// its first member, which makes the communicator if all its members passed the same group. In an
// inter-communicator all members of a side pass one group (build_inter_subset()).
class SubsetBuilder {
public:
    SubsetBuilder(const Communicator &comm, const Proposals &proposals)
        : comm_(comm), proposals_(proposals), index_(*comm.group) {}

    // Looks at each group once, at its first member. Empty groups are members that get
    // MPI_COMM_NULL.
    void build() {
        for (int member = 0; member < comm_.size; ++member) {
            const Group &group = *proposals_[static_cast<size_t>(member)]->group;
            if (group.size > 0 && index_.rank_of(group[0]) == member)
                make(group, member);
        }
    }

private:
    // Makes the communicator of the group that `first` passed, unless another of its members passed
    // another group.
    void make(Group const &group, int first) {
        for (int rank = 0; rank < group.size; ++rank)
            if (!look_alike(*proposal(group[rank]).group, group)) {
                proposals_[0]->error =
                    fail(MPI_ERR_GROUP,
                         "ranks disagree on group: that of rank %d contains rank %d, which passes "
                         "another one",
                         first, index_.rank_of(group[rank]));
                return;
            }
        Context *context = proposals_.context(group);
        for (int rank = 0; rank < group.size; ++rank)
            proposal(group[rank]).assign(context, const_cast<Group &>(group), rank);
    }

    Proposal &proposal(const Process &process) {
        return *proposals_[static_cast<size_t>(index_.rank_of(process))];
    }

    const Communicator &comm_;
    const Proposals &proposals_;
    RankIndex index_;
};

// All members of a side pass the same group, so the first member's is taken for each side.
void build_inter_subset(const Communicator &comm, const Proposals &proposals) {
    int first_size = comm.side == 0 ? comm.size : comm.remote_size;
    Group &group0 = *proposals[0]->group;
    Group &group1 = *proposals[static_cast<size_t>(first_size)]->group;
    if (group0.size == 0 || group1.size == 0)
        return; // section 7.4.2: then everyone gets MPI_COMM_NULL
    Context *context = proposals.context(group0, &group1);
    RankIndex index0(group0), index1(group1);
    for (size_t i = 0; i < proposals.size(); ++i) {
        int side = static_cast<int>(i) >= first_size;
        const Process &process = member_process(comm, static_cast<int>(i));
        int rank = (side ? index1 : index0).rank_of(process);
        if (rank != MPI_UNDEFINED)
            proposals[i]->assign(context, side ? group1 : group0, rank, side ? &group0 : &group1,
                                 side);
    }
}

// Makes the communicator of all members that have arrived, by rank in the group.
void build_from_group(const Proposals &proposals, const Group &group) {
    Context *context = proposals.context(group);
    for (int rank = 0; rank < group.size; ++rank)
        proposals[static_cast<size_t>(rank)]->assign(context, const_cast<Group &>(group), rank);
}

} // namespace

// Duplicating does not wait for other members of this process: the first to arrive makes the shared
// context. Members in other processes must agree on its id.
Error comm_dup(Communicator &comm, MPI_Comm *newcomm) {
    return comm_dup_with_info(comm, nullptr, newcomm);
}

// Waits for the agreement on the context's id, if there is one to wait for.
Error comm_dup_with_info(Communicator &comm, Info *info, MPI_Comm *newcomm) {
    MPI_Request agreement = &sent_request;
    if (Error error = duplicate(comm, info, newcomm, &agreement))
        return error;
    return thrum::wait(agreement, MPI_STATUS_IGNORE);
}

// Within a process nothing is awaited, so the request is complete at once.
Error comm_idup(Communicator &comm, MPI_Comm *newcomm, MPI_Request *request) {
    return comm_idup_with_info(comm, nullptr, newcomm, request);
}

// The new communicator may be used when the request is complete.
Error comm_idup_with_info(Communicator &comm, Info *info, MPI_Comm *newcomm, MPI_Request *request) {
    MPI_Request agreement = &sent_request; // complete, with an empty status
    if (Error error = duplicate(comm, info, newcomm, &agreement))
        return error;
    *request = agreement;
    return success;
}

// A wrong color travels in the proposal, so that all members get the error.
Error comm_split(Communicator &comm, int color, int key, MPI_Comm *newcomm) {
    Proposal mine;
    mine.color = color;
    mine.key = key;
    if (color < 0 && color != MPI_UNDEFINED)
        mine.error =
            fail(MPI_ERR_ARG, "color is %d, but must be MPI_UNDEFINED or not negative", color);
    Error error = create_together(
        comm, mine, [&](const Proposals &proposals) { build_split(comm, proposals); });
    if (!error)
        *newcomm = finish_creation(comm, mine);
    return error;
}

// An error in one member's group must not stop the others: it travels in the proposal, and all get
// it.
Error comm_create(Communicator &comm, Group &group, MPI_Comm *newcomm) {
    Proposal mine;
    mine.group = &group;
    mine.error = check_subset(comm, group);
    Error error = create_together(comm, mine, [&](const Proposals &proposals) {
        if (comm.inter)
            build_inter_subset(comm, proposals);
        else
            SubsetBuilder(comm, proposals).build();
    });
    if (!error)
        *newcomm = finish_creation(comm, mine);
    return error;
}

// Only the members of `group` call, so the members find each other by a key (comm/assembly.h), not
// in a meeting of `comm`. A caller outside the group gets MPI_COMM_NULL.
Error comm_create_group(Communicator &comm, Group &group, int tag, MPI_Comm *newcomm) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator, which has no single group");
    if (Error error = check_subset(comm, group))
        return error;
    Proposal mine;
    int rank = group.rank_of(*comm.process);
    if (rank != MPI_UNDEFINED) {
        AssemblyKey key;
        key.purpose = AssemblyKey::Purpose::CreateGroup;
        key.context_id = comm.context->id;
        key.tag = tag;
        key.group = &group;
        assemble_proposals(key, rank, mine, build_from_group);
        if (mine.error)
            return mine.error;
    }
    *newcomm = finish_creation(comm, mine);
    return success;
}

// Section 7.4.2, without a parent communicator: `stringtag` and the group are the key.
Error comm_create_from_group(Group &group, const char *stringtag, Info *info,
                             Errhandler &errhandler, MPI_Comm *newcomm) {
    Process &process = current_process();
    int rank = group.rank_of(process);
    if (Error error = check_string_tag(stringtag))
        return error;
    *newcomm = MPI_COMM_NULL;
    if (group.size == 0)
        return success;
    if (rank == MPI_UNDEFINED)
        return fail(MPI_ERR_GROUP, "group does not contain the calling process");
    Proposal mine;
    AssemblyKey key;
    key.purpose = AssemblyKey::Purpose::FromGroup;
    key.string_tag = stringtag;
    key.group = &group;
    assemble_proposals(key, rank, mine, build_from_group);
    if (mine.error)
        return mine.error;
    *newcomm = finish_creation(*process.self, mine);
    return finish_creation_from_group(**newcomm, group.session, errhandler, info);
}

} // namespace thrum::mpi
