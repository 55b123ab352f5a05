// Collective creation, for communicators in one process and in several (creation.h).
//
// Across processes, the last member of each process to arrive sends the proposals of its members to
// the other processes and reads theirs as copies. Then it runs the builder on all of them. Context
// ids come from the first process, which reserves as many as may be needed and returns the rest:
// all builders ask for contexts in the same order, so they use the same ids.
#include "mpi/creation.h"

#include "comm/communicator_lifecycle.h"
#include "comm/errhandler.h"
#include "comm/hints.h"
#include "comm/span.h"
#include "entry/argument.h"
#include "exchange/process_tree.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace thrum {

// The context goes as its id: pointers mean nothing elsewhere.
void Proposal::write(ByteWriter &to) const {
    to.number(error.code());
    to.text(sentence);
    to.number(color);
    to.number(key);
    to.number(context ? context->id : 0);
    to.number(side);
    to.group(group);
    to.group(local);
    to.group(remote);
}

// Reads a proposal from another process. The error becomes this process's own, because errors
// belong to a thread.
void Proposal::read(ByteReader &from) {
    const int code = from.number<int>();
    sentence = from.text();
    if (code)
        error = fail(code, "%s", sentence.c_str());
    color = from.number<int>();
    key = from.number<int>();
    context_id = from.number<uint32_t>();
    side = from.number<int>();
    group = from.group();
    local = from.group();
    remote = from.group();
    is_copy = true;
}

Proposal *Proposal::blank() const {
    return new Proposal;
}

// The builder passes no context if no member of the new communicator is in this process.
void Proposal::assign(Context *new_context, Group &local_group, int new_rank, Group *remote_group,
                      int new_side) {
    if (is_copy || !new_context)
        return;
    context = new_context;
    local = &local_group;
    remote = remote_group;
    rank = new_rank;
    side = new_side;
    retain(local_group);
    if (remote_group)
        retain(*remote_group);
}

// Members are numbered side by side: first those of side 0.
Process &member_process(const Communicator &comm, int member) {
    if (!comm.inter)
        return (*comm.group)[member];
    const Group &first = comm.side == 0 ? *comm.group : *comm.remote_group;
    const Group &second = comm.side == 0 ? *comm.remote_group : *comm.group;
    return member < first.size ? first[member] : second[member - first.size];
}

// A process without local members only counts the id, so that later ids agree.
Context *Proposals::context(const Group &side_0, const Group *side_1) const {
    if (spans_processes(side_0, side_1)) {
        const uint32_t id = first_id + static_cast<uint32_t>(ids_used++) * spanning_id_step;
        CHECK(first_id != 0, "a communicator that spans processes has no context id");
        return local_members(side_0, side_1) > 0 ? &spanning_context(id, side_0, side_1) : nullptr;
    }
    const int members = local_members(side_0, side_1);
    return members > 0 ? new_context(members) : nullptr;
}

namespace {

// Writes what the members of one process contribute: a base for context ids (only the first
// process's is used), and their proposals.
SharedBytes write_proposals(const std::vector<Proposal *> &locals, uint32_t first_id) {
    ByteWriter to;
    to.number(first_id);
    for (const Proposal *proposal : locals)
        proposal->write(to);
    SharedBytes packet = SharedBytes::of_size(to.bytes().size());
    std::memcpy(packet.data(), to.bytes().data(), to.bytes().size());
    return packet;
}

// All members' proposals: the local members' own objects, and copies of the others, which it owns.
class AllProposals {
public:
    // Local members keep their own objects, in the place that their number gives them. The
    // proposals of a process are in its packet in the order of its members.
    AllProposals(const ProcessMap &span, const std::vector<Proposal *> &locals,
                 const std::vector<SharedBytes> &packets) {
        all_.resize(span.index_of.size());
        for (size_t i = 0; i < locals.size(); ++i)
            all_[static_cast<size_t>(span.locals[i])] = locals[i];
        for (int index = 0; index < span.count(); ++index) {
            ByteReader from(packets[static_cast<size_t>(index)].data());
            const auto first_id = from.number<uint32_t>();
            if (index == 0)
                all_.first_id = first_id;
            // These are the local members' own objects.
            if (index == span.here)
                continue;
            for (size_t member = 0; member < all_.size(); ++member) {
                if (span.index_of[member] != index)
                    continue;
                all_[member] = locals[0]->blank();
                all_[member]->read(from);
            }
        }
    }

    // A copy holds a reference to each group that it has read.
    ~AllProposals() {
        for (Proposal *proposal : all_) {
            if (!proposal->is_copy)
                continue;
            for (Group *group : {proposal->group, proposal->local, proposal->remote})
                if (group)
                    release(*group);
            delete proposal;
        }
    }

    AllProposals(const AllProposals &) = delete;
    AllProposals &operator=(const AllProposals &) = delete;

    const Proposals &get() const { return all_; }

private:
    Proposals all_;
};

// Returns the largest number of communicators that one call can create: one per member.
int ids_wanted(const ProcessMap &span) {
    return static_cast<int>(span.index_of.size());
}

// Gives the unused ids back, in the process that has reserved them.
void return_ids(const ProcessMap &span, const Proposals &proposals) {
    if (span.here == 0)
        return_spanning_ids(proposals.first_id, ids_wanted(span), proposals.ids_used);
}

// What a member passes to create_in_all_processes().
struct Builder {
    Proposal *proposal;
    void (*build)(void *builder, const Proposals &proposals);
    void *builder;
};

// Returns the proposals of the members of this process, by local member.
std::vector<Proposal *> proposals_of(void *const *builders, const Communicator &comm) {
    std::vector<Proposal *> proposals;
    for (size_t i = 0; i < comm.context->span->locals.size(); ++i)
        proposals.push_back(static_cast<Builder *>(builders[i])->proposal);
    return proposals;
}

// These two are the halves of an exchange (exchange_together()): give makes this process's packet,
// take gets those of all processes.
SharedBytes give_proposals(void *const *builders, Communicator &comm) {
    const ProcessMap &span = *comm.context->span;
    return write_proposals(proposals_of(builders, comm),
                           span.here == 0 ? new_spanning_ids(ids_wanted(span)) : 0);
}

// Each local member has the same build function; the caller's own runs.
void take_proposals(void *const *builders, Communicator &comm,
                    const std::vector<SharedBytes> &packets) {
    const ProcessMap &span = *comm.context->span;
    const AllProposals all(span, proposals_of(builders, comm), packets);
    // Errors found before the builder, and those that it finds: everybody gets them.
    if (!spread_error(all.get())) {
        const auto &own = *static_cast<const Builder *>(builders[comm.meeting_member]);
        own.build(own.builder, all.get());
        spread_error(all.get());
    }
    return_ids(span, all.get());
}

} // namespace

Error create_in_all_processes(Communicator &comm, Proposal &mine,
                              void (*build)(void *builder, const Proposals &proposals),
                              void *builder, Collective collective) {
    Builder argument{&mine, build, builder};
    if (Error error =
            exchange_together(comm, &argument, {give_proposals, take_proposals}, collective))
        return error;
    return error_of(mine);
}

namespace {

// A member's part in an assembly that may span processes.
struct Assembling {
    Proposal *proposal;
    const AssemblyKey *key; // key with the whole group
    void (*build)(const Proposals &proposals, const Group &group);
};

// Builds an assembly whose members are all in this process.
void build_here(void *const *arguments, const Group &group) {
    Proposals proposals;
    for (int rank = 0; rank < group.size; ++rank)
        proposals.push_back(static_cast<Assembling *>(arguments[rank])->proposal);
    // Leaders that are all here may represent groups that are not, so an id is needed all the same.
    if (has_other_processes())
        proposals.first_id = new_spanning_ids(1);
    static_cast<Assembling *>(arguments[0])->build(proposals, group);
    if (has_other_processes())
        return_spanning_ids(proposals.first_id, 1, proposals.ids_used);
}

// Hashes everything that identifies the call, so that all its members compute the same number
// without a message.
uint64_t digest_of(const AssemblyKey &key) {
    uint64_t digest = 0xcbf29ce484222325u; // FNV-1a
    auto add = [&](uint64_t number) {
        digest = (digest ^ number) * 0x100000001b3u;
        digest ^= digest >> 29;
    };
    add(static_cast<uint64_t>(key.purpose));
    add(key.context_id);
    add(static_cast<uint64_t>(key.tag));
    for (char c : key.string_tag)
        add(static_cast<unsigned char>(c));
    for (int rank = 0; rank < key.group->size; ++rank)
        add(static_cast<uint64_t>((*key.group)[rank].number));
    return digest;
}

// Builds an assembly with members in other processes. Runs in the last local member to arrive;
// `group` has only the local members. There is no communicator to exchange packets on, so a
// temporary one is made. Its context id and the number of the exchange come from 59 bits of the
// key's digest.
void build_with_others(void *const *arguments, const Group &group) MAY_SUSPEND {
    const auto &assembling = *static_cast<const Assembling *>(arguments[0]);
    const Group &whole = *assembling.key->group;
    std::vector<Proposal *> locals;
    for (int rank = 0; rank < group.size; ++rank)
        locals.push_back(static_cast<Assembling *>(arguments[rank])->proposal);
    const uint64_t digest = digest_of(*assembling.key);
    // The lowest bit stays 0, as in all context ids; it marks the library's own messages.
    constexpr uint32_t id_mask = (1u << 30) - 2;
    constexpr uint32_t id_bit = 1u << 30; // rarely set in ids of communicators
    Context &context =
        *new_context_with(spanning_bit | id_bit | (static_cast<uint32_t>(digest) & id_mask), 1);
    context.span = new_process_map(whole);
    Communicator &comm = *new_communicator(current_process(), context, const_cast<Group &>(whole),
                                           whole.rank_of(current_process()));
    const ProcessMap &span = *context.span;
    // The exchange wants a call to compare; it is the same in all processes.
    const CollectiveCall call(Collective::Communicator);
    Participant participant(comm, call);
    std::vector<SharedBytes> packets;
    bool failed;
    {
        // The exchange ends before the communicator is released.
        ProcessPart part(comm, static_cast<int>(digest >> 34), true, {&participant});
        const SharedBytes mine =
            write_proposals(locals, span.here == 0 ? new_spanning_ids(ids_wanted(span)) : 0);
        run_flow(part.exchange, collect_packets(part, mine, packets), [](void *) {}, nullptr);
        failed = part.exchange.fault() != 0;
        for (Proposal *proposal : locals)
            if (failed) {
                proposal->error = Error(part.exchange.fault());
                proposal->sentence = part.exchange.fault_sentence();
            }
    }
    if (!failed) {
        const AllProposals all(span, locals, packets);
        assembling.build(all.get(), whole);
        return_ids(span, all.get());
    }
    release(comm);
}

// The members of this process meet first, in a group of their own. The last one exchanges proposals
// with the other processes.
void assemble_with_others(const AssemblyKey &key, int rank, Assembling &mine) MAY_SUSPEND {
    std::vector<Process *> here;
    int place = 0;
    for (int i = 0; i < key.group->size; ++i) {
        Process &process = (*key.group)[i];
        if (i == rank)
            place = static_cast<int>(here.size());
        if (!is_remote(process))
            here.push_back(&process);
    }
    AssemblyKey local = key;
    Group *group = new_group(std::move(here));
    local.group = group;
    assemble(local, place, &mine, build_with_others);
    release(*group);
}

} // namespace

// The error is recorded again at the end: another member found it, and sentences belong to threads.
void assemble_proposals(const AssemblyKey &key, int rank, Proposal &mine,
                        void (*build)(const Proposals &proposals, const Group &group)) {
    Assembling assembling{&mine, &key, build};
    if (spans_processes(*key.group))
        assemble_with_others(key, rank, assembling);
    else
        assemble(key, rank, &assembling, build_here);
    mine.error = error_of(mine);
}

// Takes over the references that assign() has taken for this member; the communicator holds its
// own.
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

// There is no parent from which anything could be inherited.
Error finish_creation_from_group(Communicator &comm, Session *session, Errhandler &errhandler,
                                 Info *info) {
    set_session(comm, session);
    take_hints(comm.info, info);
    return set_errhandler(comm.errhandler, Errhandler::Kind::Comm, errhandler);
}

// The argument is significant at one rank only, so the entry point cannot check it.
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

// Errors of members with errors of their own are kept: each rank reports its own mistake. An error
// without a sentence was found by the builder, which is the caller: its sentence names the ranks.
bool spread_error(const Proposals &proposals) {
    const auto first =
        std::find_if(proposals.begin(), proposals.end(),
                     [](const Proposal *proposal) { return static_cast<bool>(proposal->error); });
    if (first == proposals.end())
        return false;
    Proposal &found = **first;
    std::string sentence;
    if (found.sentence.empty())
        found.sentence = sentence = error_detail(found.error.code());
    else
        sentence = "rank " + std::to_string(first - proposals.begin()) + ": " + found.sentence;
    for (Proposal *proposal : proposals)
        if (!proposal->error) {
            proposal->error = found.error;
            proposal->sentence = sentence;
        }
    return true;
}

void keep_sentence(Proposal &mine) {
    if (mine.error)
        mine.sentence = error_detail(mine.error.code());
}

Error error_of(const Proposal &mine) {
    return mine.error && !mine.sentence.empty()
               ? fail(mine.error.code(), "%s", mine.sentence.c_str())
               : mine.error;
}

} // namespace thrum
