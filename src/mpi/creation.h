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

    // Writes what the member proposes, for other processes. read() does the reverse in a blank()
    // object.
    virtual void write(ByteWriter &to) const;
    virtual void read(ByteReader &from);
    virtual Proposal *blank() const;

    // The member sets these.
    Error error;          // of its arguments: then nobody gets a communicator
    std::string sentence; // of the error, for the ranks that get it from another one
    int color = 0;        // MPI_Comm_split
    int key = 0;
    Group *group = nullptr; // MPI_Comm_create

    // The builder sets these: the member's new communicator. Without a context it gets
    // MPI_COMM_NULL.
    Context *context = nullptr;
    Group *local = nullptr; // with a reference for this member, as `remote`
    Group *remote = nullptr;
    int rank = 0;
    int side = 0;
    Topology *topology = nullptr; // with a reference for this member

    bool is_copy = false;    // of a member in another process, where it is decided, too
    uint32_t context_id = 0; // id of a copy's context

    // Assigns the new communicator and takes references for the member. Does nothing for a copy.
    void assign(Context *new_context, Group &local_group, int new_rank,
                Group *remote_group = nullptr, int new_side = 0);
};

// The proposals of all members, by member of the communicator (meeting/meeting.h).
struct Proposals : std::vector<Proposal *> {
    using std::vector<Proposal *>::vector;

    // Returns a context for the members of the groups, or nullptr if none of them is in this
    // process. All processes ask for the same contexts in the same order.
    Context *context(const Group &side_0, const Group *side_1 = nullptr) const;

    uint32_t first_id = 0;    // of the ids reserved for contexts that span processes
    mutable int ids_used = 0; // how many of them context() has used
};

// Returns the process of member `member` of `comm`.
Process &member_process(const Communicator &comm, int member);

// Makes the communicator assigned to `proposal`; returns MPI_COMM_NULL if there is none. It
// inherits error handler and session of `parent` (section 9.3).
MPI_Comm finish_creation(Communicator &parent, Proposal &proposal);
// Sets what a communicator made without a parent gets from the call's arguments (section 7.4.2).
Error finish_creation_from_group(Communicator &comm, Session *session, Errhandler &errhandler,
                                 Info *info);
// Checks a string tag: not null, and shorter than MPI_MAX_STRINGTAG_LEN.
Error check_string_tag(const char *stringtag);

// Returns the info object of a handle that the entry point has not checked; nullptr for
// MPI_INFO_NULL.
Error named_info(const char *name, MPI_Info handle, Info *&info);

// Calls assemble() (comm/assembly.h) for proposals, by rank in the group, which may span processes.
// build() runs in one member of each process. The result, or an error, is in `mine`.
void assemble_proposals(const AssemblyKey &key, int rank, Proposal &mine,
                        void (*build)(const Proposals &proposals, const Group &group)) MAY_SUSPEND;

// A build function for two leaders: makes an inter-communicator's context from the groups in their
// proposals. The first becomes side 0.
void join_groups(const Proposals &proposals, const Group &);
// Lets a leader meet the leader of a group that shares no communicator with its own. `meeting` is
// unique to this pair; they are given by their world ranks. The group of the first becomes side 0.
void join_leader(const std::string &meeting, int first, int second, bool is_first,
                 Proposal &mine) MAY_SUSPEND;
// Assigns the leader's result to the members; the builder's part of spread_joined().
void assign_joined(Communicator &local_comm, int leader, const Proposals &proposals);
// Distributes the leader's result (join_groups()) to all members of `local_comm`.
Error spread_joined(Communicator &local_comm, int leader, Proposal &mine,
                    MPI_Comm *newintercomm) MAY_SUSPEND;

// Publishes `mine`. build(proposals) runs in one member (of each process), after all have arrived
// and before any continues. If any member's proposal has an error it does not run, and everyone
// gets an error.
template <class Build>
Error create_together(Communicator &comm, Proposal &mine, Build build,
                      Collective collective = Collective::Communicator) MAY_SUSPEND;

// MPI_Comm_split: members with the same color get a communicator, ordered by (key, rank).
void build_split(const Communicator &comm, const Proposals &proposals);

// Writes the first error among the proposals, with its sentence, into those without one. Returns
// whether there is one.
bool spread_error(const Proposals &proposals);

// Keeps the sentence of the error that the caller has found in its own arguments, and records it
// again after others have run: sentences belong to threads.
void keep_sentence(Proposal &mine);
Error error_of(const Proposal &mine);

// Does create_together() for a communicator that spans processes.
Error create_in_all_processes(Communicator &comm, Proposal &mine,
                              void (*build)(void *builder, const Proposals &proposals),
                              void *builder, Collective collective) MAY_SUSPEND;

// Two meetings: after the first, member 0 reads all proposals; the second keeps the others'
// proposals alive until it has built.
template <class Build>
Error create_together(Communicator &comm, Proposal &mine, Build build, Collective collective) {
    keep_sentence(mine);
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
    return error_of(mine);
}

} // namespace thrum
