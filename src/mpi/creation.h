// Collective creation of communicators (MPI 5.0 section 7.4). Every member publishes a Proposal.
// One of them, the builder, reads them all, decides, and writes each member's part into its
// Proposal. This costs two meetings and O(n log n) work in total.
//
// If the members are in several node processes, each process gets copies of all proposals and
// builds for itself. The results are the same, because builders use nothing else
// (docs/between_processes.md).
#pragma once
#include "coll/coll.h"
#include "comm/assembly.h"
#include "comm/byte_stream.h"
#include "comm/process.h"

#include <vector>

namespace thrum {

// A member's arguments and, once the builder has decided, its result.
struct Proposal {
    Proposal() = default;
    Proposal(const Proposal &) = default;
    Proposal &operator=(const Proposal &) = default;
    virtual ~Proposal() = default;

    // Writes what the member proposes, for other node processes; and makes an object from what one
    // has written there.
    virtual void write(ByteWriter &to) const;
    virtual void read(ByteReader &from);
    virtual Proposal *blank() const;

    // Set by the member.
    Error error;          // error in its arguments: then nobody gets a communicator
    std::string sentence; // text of the error, if another rank has found it
    int color = 0;        // MPI_Comm_split
    int key = 0;
    Group *group = nullptr; // MPI_Comm_create

    // Set by the builder: the member's new communicator; without a context it gets MPI_COMM_NULL.
    Context *context = nullptr;
    Group *local = nullptr; // with a reference for this member, like `remote`
    Group *remote = nullptr;
    int rank = 0;
    int side = 0;
    Topology *topology = nullptr; // with a reference for this member

    bool is_copy = false;    // of a member in another process, which decides there, too
    uint32_t context_id = 0; // id of a copy's context

    // Assigns the new communicator; does nothing for a copy.
    void assign(Context *new_context, Group &local_group, int new_rank,
                Group *remote_group = nullptr, int new_side = 0);
};

// Indexed by member of the communicator (meeting/meeting.h).
struct Proposals : std::vector<Proposal *> {
    using std::vector<Proposal *>::vector;

    // Returns a context for the members of the groups, or nullptr if none of them is in this
    // process. All processes ask for the same contexts in the same order.
    Context *context(const Group &side_0, const Group *side_1 = nullptr) const;

    uint32_t first_id = 0; // the first id of contexts that span processes
    mutable int ids_used = 0;
};

// Returns the process of member `member` of `comm`.
Process &member_process(const Communicator &comm, int member);

// Makes the communicator assigned to `proposal`, or MPI_COMM_NULL. It inherits the error handler of
// `parent` (section 9.3).
MPI_Comm finish_creation(Communicator &parent, Proposal &proposal);
// Sets what a communicator made without a parent also gets (section 7.4.2).
Error finish_creation_from_group(Communicator &comm, Session *session, Errhandler &errhandler,
                                 Info *info);
Error check_string_tag(const char *stringtag);

// Returns the info object of a handle that the entry point has not checked; nullptr for
// MPI_INFO_NULL.
Error named_info(const char *name, MPI_Info handle, Info *&info);

// Calls assemble() (comm/assembly.h) for proposals, by rank in the group, which may span processes.
void assemble_proposals(const AssemblyKey &key, int rank, Proposal &mine,
                        void (*build)(const Proposals &proposals, const Group &group)) MAY_SUSPEND;

// Makes an inter-communicator's context from the groups in the proposals of two leaders; the first
// becomes side 0. For assemble_proposals().
void join_groups(const Proposals &proposals, const Group &);
// Lets a leader meet the leader of a group that shares no communicator with its own. `meeting` is
// unique to this pair; they are given by their world ranks. The group of the first becomes side 0.
void join_leader(const std::string &meeting, int first, int second, bool is_first,
                 Proposal &mine) MAY_SUSPEND;
// The builder's part of spread_joined().
void assign_joined(Communicator &local_comm, int leader, const Proposals &proposals);
// Distributes the leader's result (join_groups()) to all members of `local_comm`.
Error spread_joined(Communicator &local_comm, int leader, Proposal &mine,
                    MPI_Comm *newintercomm) MAY_SUSPEND;

// Publishes `mine`. build(proposals) runs in one member, after all have come and before any
// continues. If any member's proposal has an error it does not run, and everyone gets an error.
template <class Build>
Error create_together(Communicator &comm, Proposal &mine, Build build,
                      Collective collective = Collective::Communicator) MAY_SUSPEND;

// MPI_Comm_split: members with the same color get a communicator, ordered by (key, rank).
void build_split(const Communicator &comm, const Proposals &proposals);

// Writes the first error among the proposals into all.
bool spread_error(const Proposals &proposals);

// Does create_together() for a communicator that spans processes.
Error create_in_all_processes(Communicator &comm, Proposal &mine,
                              void (*build)(void *builder, const Proposals &proposals),
                              void *builder, Collective collective) MAY_SUSPEND;

template <class Build>
Error create_together(Communicator &comm, Proposal &mine, Build build, Collective collective) {
    if (comm.context->span)
        return create_in_all_processes(
            comm, mine,
            [](void *builder, const Proposals &proposals) {
                (*static_cast<Build *>(builder))(proposals);
            },
            &build, collective);
    if (Error error = meet(comm, &mine, collective))
        return error;
    if (member_of(comm) == 0) {
        Proposals proposals(static_cast<size_t>(member_count(comm)));
        for (size_t i = 0; i < proposals.size(); ++i)
            proposals[i] =
                static_cast<Proposal *>(const_cast<void *>(argument_of(comm, static_cast<int>(i))));
        if (!spread_error(proposals)) {
            build(static_cast<const Proposals &>(proposals));
            spread_error(proposals);
        }
    }
    if (Error error = meet(comm, nullptr, collective))
        return error;
    return mine.error;
}

} // namespace thrum
