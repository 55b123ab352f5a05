// How communicators are made together (MPI 5.0 section 7.4): every member publishes a Proposal, one
// of them, the builder, reads them all, decides, and writes each member's part into its Proposal.
// Costs two meetings and O(n log n) work in all, whatever the number of ranks.
//
// If the members are in several node processes, each process gets copies of all proposals and
// builds for itself: the same everywhere, as builders look at nothing else
// (docs/between_processes.md).
#pragma once
#include "coll/coll.h"
#include "comm/assembly.h"
#include "comm/byte_stream.h"
#include "comm/process.h"

#include <vector>

namespace thrum {

struct Proposal {
    Proposal() = default;
    Proposal(const Proposal &) = default;
    Proposal &operator=(const Proposal &) = default;
    virtual ~Proposal() = default;

    // What the member says, for other node processes; and an object for what one has said there.
    virtual void write(ByteWriter &to) const;
    virtual void read(ByteReader &from);
    virtual Proposal *blank() const;

    // Of the member.
    Error error;          // what was wrong with its arguments: then nobody gets a communicator
    std::string sentence; // about the error, if another rank has found it
    int color = 0;        // MPI_Comm_split
    int key = 0;
    Group *group = nullptr; // MPI_Comm_create

    // Of the builder: the member's new communicator; no context: it gets MPI_COMM_NULL.
    Context *context = nullptr;
    Group *local = nullptr; // with a reference for this member, as is `remote`
    Group *remote = nullptr;
    int rank = 0;
    int side = 0;
    Topology *topology = nullptr; // with a reference for this member

    bool is_copy = false;    // from another process, where the member gets its part
    uint32_t context_id = 0; // of a copy: of its context

    // Nothing happens to a copy.
    void assign(Context *new_context, Group &local_group, int new_rank,
                Group *remote_group = nullptr, int new_side = 0);
};

// By member of the communicator (meeting/meeting.h).
struct Proposals : std::vector<Proposal *> {
    using std::vector<Proposal *>::vector;

    // A context for the members of the groups. nullptr if none of them is in this process. All
    // processes ask for the same contexts in the same order.
    Context *context(const Group &side_0, const Group *side_1 = nullptr) const;

    uint32_t first_id = 0; // of those that span processes
    mutable int ids_used = 0;
};

// The process that is member `member` of `comm`.
Process &member_process(const Communicator &comm, int member);

// Makes the communicator that `proposal` was assigned, or MPI_COMM_NULL; it inherits the error
// handler of `parent` (section 9.3).
MPI_Comm finish_creation(Communicator &parent, Proposal &proposal);
// What a communicator that was made without a parent gets besides (section 7.4.2).
Error finish_creation_from_group(Communicator &comm, Session *session, Errhandler &errhandler,
                                 Info *info);
Error check_string_tag(const char *stringtag);

// The info object of a handle that the entry point has not checked; nullptr for MPI_INFO_NULL.
Error named_info(const char *name, MPI_Info handle, Info *&info);

// assemble() (comm/assembly.h) for proposals, by rank in the group; also if it spans processes.
void assemble_proposals(const AssemblyKey &key, int rank, Proposal &mine,
                        void (*build)(const Proposals &proposals, const Group &group)) MAY_SUSPEND;

// Makes an inter-communicator's context out of the groups of two leaders' proposals, of which the
// first becomes side 0. For assemble_proposals().
void join_groups(const Proposals &proposals, const Group &);
// What a leader finds who has met another one, from a group that shares no communicator with its
// own, in `meeting`, which is no other pair's; they are given by their world ranks. The group of
// the first becomes side 0.
void join_leader(const std::string &meeting, int first, int second, bool is_first,
                 Proposal &mine) MAY_SUSPEND;
// Of spread_joined(), the builder's part.
void assign_joined(Communicator &local_comm, int leader, const Proposals &proposals);
// Hands what the leader has found (join_groups()) on to all members of `local_comm`.
Error spread_joined(Communicator &local_comm, int leader, Proposal &mine,
                    MPI_Comm *newintercomm) MAY_SUSPEND;

// Publishes `mine`; build(proposals) runs in one member, after all have come and before anybody
// goes on. If any member's proposal has an error it does not run, and everybody gets an error.
template <class Build>
Error create_together(Communicator &comm, Proposal &mine, Build build,
                      Collective collective = Collective::Communicator) MAY_SUSPEND;

// MPI_Comm_split: members with the same color get a communicator, in the order of (key, rank).
void build_split(const Communicator &comm, const Proposals &proposals);

// Writes the first error among the proposals into all.
bool spread_error(const Proposals &proposals);

// create_together() of a communicator that spans processes.
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
