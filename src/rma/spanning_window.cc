// Windows whose members are in several node processes (docs/between_processes.md). They are created
// by up to three exchanges between the processes. In each exchange the last member to arrive
// represents its process: give_X() makes its packet, and take_X() uses the packets of all.
//
//   facts    what every member requests; all reach the same verdict
//   memory   segments that processes of a node map, if the library allocates the window's memory
//   places   where members, their memory and the locks are, and whether anything has failed. A
//            process that has all places knows that all others serve the window.
#include "comm/process.h"
#include "comm/span.h"
#include "exchange/process_tree.h"
#include "rma/proposal.h"
#include "rma/remote_access.h"
#include "rma/shared_lock.h"
#include "rma/stripe.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace thrum {

// A window under construction: what the members of this process share between the exchanges.
struct SpanningWindow {
    std::vector<WindowProposal> members; // by rank: copies of their proposals
    std::vector<char *> bases;           // by rank: addresses of memory that is mapped here
    std::vector<char *> mapped;          // by rank: where that mapping begins
    std::vector<char *> lock_records;    // by rank: of their locks in that memory
    char *whole_lock_record = nullptr;
    std::vector<WindowMemory> memory;
    int own_memory = -1;                       // memory of this process, in `memory`
    std::vector<RemoteMembers::Member> places; // places of the local members
    uint32_t context_id = 0;
    bool contiguous = false; // MPI_Win_allocate_shared: one segment, owned by the first process
    WindowProposal verdict;

    const WindowFacts &facts(size_t rank) const { return members[rank].facts; }
};

namespace {

// The start of a process's packet of facts. The first process chooses the context of the hidden
// communicators.
struct FactsHead {
    uint32_t context_id;
};

// What each member of a process contributes to the exchange of facts.
struct MemberFacts {
    WindowFacts facts;
    int code;
    char sentence[256];
};

// What a process contributes to the exchange of memory: where others can map its segment.
struct MemoryFacts {
    pid_t pid;
    int fd; // negative: none
    size_t size_bytes;
    int code;
    char sentence[256];
};

// What a process contributes to the exchange of places, before the places of its members.
struct PlacesHead {
    int code;
    char sentence[256];
    uint64_t shared;
};

using Place = RemoteMembers::Member;

// Returns a packet of a head and an array.
SharedBytes packet_of(const void *head, size_t head_bytes, const void *rest = nullptr,
                      size_t rest_bytes = 0) {
    SharedBytes packet = SharedBytes::of_size(head_bytes + rest_bytes);
    std::memcpy(packet.data(), head, head_bytes);
    if (rest_bytes > 0)
        std::memcpy(packet.data() + head_bytes, rest, rest_bytes);
    return packet;
}

template <class T>
T read_at(const SharedBytes &packet, size_t offset) {
    T value;
    std::memcpy(&value, packet.data() + offset, sizeof value);
    return value;
}

void write_error(const WindowProposal &from, int &code, char (&sentence)[256]) {
    code = from.error.code();
    std::memcpy(sentence, from.sentence, sizeof sentence);
}

void read_error(int code, const char (&sentence)[256], WindowProposal &to) {
    to.error = Error(code);
    std::memcpy(to.sentence, sentence, sizeof sentence);
}

// Returns the proposals of the members of this process, by their order in `span`.
WindowProposals locals_of(void *const *arguments, const ProcessMap &span) {
    WindowProposals locals;
    for (size_t i = 0; i < span.locals.size(); ++i)
        locals.push_back(static_cast<WindowProposal *>(arguments[i]));
    return locals;
}

// Returns the ranks of the members in the process with this index.
std::vector<int> ranks_at(const ProcessMap &span, int index) {
    std::vector<int> ranks;
    for (size_t rank = 0; rank < span.index_of.size(); ++rank)
        if (span.index_of[rank] == index)
            ranks.push_back(static_cast<int>(rank));
    return ranks;
}

bool is_on_this_node(const ProcessMap &span, int index) {
    return node_of(span.processes[static_cast<size_t>(index)]) == node_of(this_node_process());
}

// Gives up the window in this process. All processes know the error and do the same.
void give_up(SpanningWindow *making, const WindowProposals &locals) {
    tell(making->verdict, locals);
    delete making;
}

// Returns whether the library allocates the window's memory.
bool has_memory(const SpanningWindow &making) {
    const int flavor = making.facts(0).flavor;
    return flavor == MPI_WIN_FLAVOR_ALLOCATE || flavor == MPI_WIN_FLAVOR_SHARED;
}

// --- Facts

SharedBytes give_facts(void *const *arguments, Communicator &comm) {
    const ProcessMap &span = *comm.context->span;
    const FactsHead head{span.here == 0 ? new_spanning_ids(1) : 0};
    std::vector<MemberFacts> all;
    for (const WindowProposal *local : locals_of(arguments, span)) {
        MemberFacts &facts = all.emplace_back();
        facts.facts = local->facts;
        write_error(*local, facts.code, facts.sentence);
    }
    return packet_of(&head, sizeof head, all.data(), all.size() * sizeof(MemberFacts));
}

// Returns MPI_ERR_RMA_SHARED if members of MPI_Win_allocate_shared are on different nodes.
Error check_shared(const SpanningWindow &making, const ProcessMap &span) {
    if (making.facts(0).flavor != MPI_WIN_FLAVOR_SHARED)
        return success;
    const int node = node_of(span.processes[0]);
    for (size_t rank = 0; rank < span.index_of.size(); ++rank)
        if (node_of(span.processes[static_cast<size_t>(span.index_of[rank])]) != node)
            return fail(MPI_ERR_RMA_SHARED,
                        "ranks 0 and %zu are on different nodes, which do not share memory; create "
                        "the communicator with MPI_Comm_split_type and MPI_COMM_TYPE_SHARED",
                        rank);
    return success;
}

// Checks that the members agree. The result is the same in all processes.
Error check_together(SpanningWindow &making, const ProcessMap &span) {
    WindowProposals all;
    for (WindowProposal &member : making.members)
        all.push_back(&member);
    if (find_error(all, making.verdict))
        return Error(making.verdict.error.code());
    if (Error error = check_agreement(all))
        return error;
    return check_shared(making, span);
}

// Every process checks the same facts in the same order, so all reach the same verdict without a
// further exchange.
void take_facts(void *const *arguments, Communicator &comm,
                const std::vector<SharedBytes> &packets) {
    const ProcessMap &span = *comm.context->span;
    auto *making = new SpanningWindow;
    making->members.resize(span.index_of.size());
    making->bases.resize(span.index_of.size());
    making->mapped.resize(span.index_of.size());
    making->lock_records.resize(span.index_of.size());
    making->context_id = read_at<FactsHead>(packets[0], 0).context_id;
    for (int index = 0; index < span.count(); ++index) {
        size_t at = sizeof(FactsHead);
        for (int rank : ranks_at(span, index)) {
            const auto said = read_at<MemberFacts>(packets[static_cast<size_t>(index)], at);
            at += sizeof(MemberFacts);
            WindowProposal &member = making->members[static_cast<size_t>(rank)];
            member.facts = said.facts;
            read_error(said.code, said.sentence, member);
        }
    }
    const WindowProposals locals = locals_of(arguments, span);
    for (WindowProposal *local : locals)
        local->spanning = making;
    if (Error error = check_together(*making, span)) {
        if (!making->verdict.error)
            making->verdict.note(error);
        if (span.here == 0)
            return_spanning_ids(making->context_id, 1, 0);
        return give_up(making, locals);
    }
    making->contiguous =
        making->facts(0).flavor == MPI_WIN_FLAVOR_SHARED &&
        !std::all_of(making->members.begin(), making->members.end(),
                     [](const WindowProposal &p) { return p.facts.noncontiguous; });
}

// --- Memory

// Where the members' memory is in a segment, behind the locks of its stripes and of its members:
// the members of process `index`, or all members if the memory is contiguous. All processes compute
// the same plan.
struct MemoryPlan {
    // Each lock counts its holders by process. With more memory than this, there are no records,
    // and locks need messages.
    static constexpr size_t records_bytes_max = 1 << 20;
    size_t record_bytes = 0; // of one lock; 0: there are no records
    size_t size_bytes = sizeof process_stripe_locks;
    size_t alignment = 64;                       // a cache line; more than any basic datatype needs
    std::vector<std::pair<int, size_t>> offsets; // by rank
    bool overflows = false;

    MemoryPlan(const SpanningWindow &making, const ProcessMap &span, int index) {
        std::vector<size_t> ranks;
        for (size_t rank = 0; rank < making.members.size(); ++rank) {
            if (!making.contiguous && span.index_of[rank] != index)
                continue;
            ranks.push_back(rank);
            alignment = std::max(alignment, making.facts(rank).alignment);
        }
        const size_t record = SharedLock::record_bytes(span.processes.size());
        const size_t count = ranks.size() + 1; // the last one is the whole window's
        if (count <= records_bytes_max / record) {
            record_bytes = record;
            size_bytes += count * record;
        }
        for (size_t rank : ranks) {
            const WindowFacts &facts = making.facts(rank);
            if (!making.contiguous || offsets.empty()) {
                overflows |= __builtin_add_overflow(size_bytes, alignment - 1, &size_bytes);
                size_bytes &= ~(alignment - 1);
            }
            offsets.emplace_back(static_cast<int>(rank), size_bytes);
            overflows |= __builtin_add_overflow(size_bytes, static_cast<size_t>(facts.size_bytes),
                                                &size_bytes);
        }
    }
};

// Notes the addresses of members whose segment, that of process `index`, is mapped at `address`.
void note_bases(SpanningWindow &making, const MemoryPlan &plan, int index, char *address) {
    char *record = address + sizeof process_stripe_locks;
    for (const auto &[rank, offset] : plan.offsets) {
        making.bases[static_cast<size_t>(rank)] = address + offset;
        making.mapped[static_cast<size_t>(rank)] = address;
        if (plan.record_bytes > 0)
            making.lock_records[static_cast<size_t>(rank)] = record;
        record += plan.record_bytes;
    }
    if (plan.record_bytes > 0 && index == 0)
        making.whole_lock_record = record;
}

// Allocates this process's segment. For contiguous memory only the first process allocates.
Error create_memory(SpanningWindow &making, const ProcessMap &span) {
    if (making.contiguous && span.here != 0)
        return success;
    const MemoryPlan plan(making, span, span.here);
    if (plan.overflows)
        return fail(MPI_ERR_NO_MEM, "the windows of all ranks together exceed the address space");
    WindowMemory memory;
    if (Error error = memory.create(plan.size_bytes, plan.alignment))
        return error;
    note_bases(making, plan, span.here, memory.address());
    making.own_memory = static_cast<int>(making.memory.size());
    making.memory.push_back(std::move(memory));
    return success;
}

// A process that fails takes part nevertheless and reports its error: the others would wait for its
// packet.
SharedBytes give_memory(void *const *arguments, Communicator &comm) {
    const ProcessMap &span = *comm.context->span;
    SpanningWindow &making = *static_cast<WindowProposal *>(arguments[0])->spanning;
    MemoryFacts facts{::getpid(), -1, 0, 0, ""};
    WindowProposal own;
    if (Error error = create_memory(making, span))
        own.note(error);
    write_error(own, facts.code, facts.sentence);
    if (making.own_memory >= 0) {
        const WindowMemory &memory = making.memory[static_cast<size_t>(making.own_memory)];
        facts.fd = memory.fd();
        facts.size_bytes = memory.size_bytes();
    }
    return packet_of(&facts, sizeof facts);
}

// Maps the memory of another process of this node. Without it, MPI_Win_allocate uses messages, but
// MPI_Win_allocate_shared fails.
Error open_memory(SpanningWindow &making, const ProcessMap &span, int index,
                  const MemoryFacts &facts) {
    if (facts.fd < 0 || !is_on_this_node(span, index))
        return success;
    const MemoryPlan plan(making, span, index);
    WindowMemory memory;
    Error error = memory.open(facts.pid, facts.fd, facts.size_bytes, plan.alignment);
    if (error)
        return making.facts(0).flavor == MPI_WIN_FLAVOR_SHARED ? error : success;
    note_bases(making, plan, index, memory.address());
    making.memory.push_back(std::move(memory));
    return success;
}

void take_memory(void *const *arguments, Communicator &comm,
                 const std::vector<SharedBytes> &packets) {
    const ProcessMap &span = *comm.context->span;
    SpanningWindow &making = *static_cast<WindowProposal *>(arguments[0])->spanning;
    const WindowProposals locals = locals_of(arguments, span);
    for (const SharedBytes &packet : packets) { // all see the same first error
        const auto facts = read_at<MemoryFacts>(packet, 0);
        if (!facts.code)
            continue;
        read_error(facts.code, facts.sentence, making.verdict);
        return give_up(&making, locals);
    }
    for (int index = 0; index < span.count(); ++index) {
        if (index == span.here)
            continue;
        const auto facts = read_at<MemoryFacts>(packets[static_cast<size_t>(index)], 0);
        if (Error error = open_memory(making, span, index, facts)) {
            making.verdict.note(error); // the others learn about it together with the places
            return;
        }
    }
}

// --- Places

// Makes this process's part of the window. Places of members in other processes come from the
// exchange.
SharedWindow *new_shared_window(SpanningWindow &making, const WindowProposals &locals,
                                const Communicator &comm) {
    const ProcessMap &span = *comm.context->span;
    auto *shared = new SharedWindow;
    shared->size = comm.size;
    shared->flavor = making.facts(0).flavor;
    shared->members.store(static_cast<int>(locals.size()), std::memory_order_relaxed);
    shared->all_or_exclusive.grant_in_any_order();
    shared->parts = new WindowPart[static_cast<size_t>(comm.size)];
    shared->remote = new RemoteMembers;
    shared->remote->members.resize(static_cast<size_t>(comm.size));
    for (size_t rank = 0; rank < making.members.size(); ++rank)
        shared->parts[rank] = {
            making.bases[rank],           static_cast<size_t>(making.facts(rank).size_bytes),
            making.facts(rank).disp_unit, nullptr,
            making.mapped[rank],          making.lock_records[rank]};
    for (size_t i = 0; i < locals.size(); ++i) {
        WindowPart &part = shared->parts[span.locals[i]];
        if (!has_memory(making))
            part.base = locals[i]->base;
        part.window = locals[i]->win;
        if (part.lock_record)
            part.window->lock.share(SharedLock(part.lock_record, span.here).word());
    }
    shared->process = span.here;
    shared->whole_lock_record = making.whole_lock_record;
    if (span.here == 0 && shared->whole_lock_record)
        shared->all_or_exclusive.share(SharedLock(shared->whole_lock_record, 0).word());
    return shared;
}

// Notes where the members of this process are, and exposes their memory to the network.
void note_places(SpanningWindow &making, const WindowProposals &locals, const SharedWindow &shared,
                 const ProcessMap &span) {
    for (size_t i = 0; i < locals.size(); ++i) {
        const WindowPart &part = shared.parts[span.locals[i]];
        Place &place = making.places.emplace_back();
        place.process = this_node_process();
        place.window = reinterpret_cast<uint64_t>(part.window);
        place.base = reinterpret_cast<uint64_t>(part.base);
        if (part.size_bytes > 0)
            place.memory = fabric_expose(part.base, part.size_bytes);
    }
}

// Makes this process's objects before it publishes their addresses: messages from others may arrive
// from then on.
SharedBytes give_places(void *const *arguments, Communicator &comm) {
    const ProcessMap &span = *comm.context->span;
    const WindowProposals locals = locals_of(arguments, span);
    SpanningWindow &making = *locals[0]->spanning;
    PlacesHead head{};
    write_error(making.verdict, head.code, head.sentence);
    if (head.code)
        return packet_of(&head, sizeof head);
    SharedWindow *shared = new_shared_window(making, locals, comm);
    for (WindowProposal *local : locals) {
        local->shared = shared;
        local->win->traffic = new_traffic(span);
        take_part(*local->win, *shared);
    }
    head.shared = reinterpret_cast<uint64_t>(shared);
    note_places(making, locals, *shared, span);
    return packet_of(&head, sizeof head, making.places.data(),
                     making.places.size() * sizeof(Place));
}

// Withdraws this process's part. No process has gone further, since all have the same packets.
void take_back(SpanningWindow &making, const WindowProposals &locals) {
    for (const Place &place : making.places)
        if (place.memory.bytes > 0)
            fabric_withdraw(place.memory);
    SharedWindow *shared = locals[0]->shared;
    for (WindowProposal *local : locals) {
        local->shared = nullptr;
        local->win->shared = nullptr;
    }
    if (shared) {
        delete shared->remote;
        delete[] shared->parts;
        delete shared;
    }
    give_up(&making, locals);
}

// Completes the window. If any process reports an error, all withdraw what they have made.
void take_places(void *const *arguments, Communicator &comm,
                 const std::vector<SharedBytes> &packets) {
    const ProcessMap &span = *comm.context->span;
    const WindowProposals locals = locals_of(arguments, span);
    SpanningWindow &making = *locals[0]->spanning;
    for (const SharedBytes &packet : packets) {
        const auto head = read_at<PlacesHead>(packet, 0);
        if (!head.code)
            continue;
        read_error(head.code, head.sentence, making.verdict);
        return take_back(making, locals);
    }
    SharedWindow &shared = *locals[0]->shared;
    RemoteMembers &remote = *shared.remote;
    remote.home_window = read_at<PlacesHead>(packets[0], 0).shared;
    for (int index = 0; index < span.count(); ++index) {
        size_t at = sizeof(PlacesHead);
        for (int rank : ranks_at(span, index)) {
            remote.members[static_cast<size_t>(rank)] =
                read_at<Place>(packets[static_cast<size_t>(index)], at);
            at += sizeof(Place);
        }
    }
    for (WindowMemory &memory : making.memory)
        memory.close_descriptor(); // all processes have mapped it
    remote.memory = std::move(making.memory);
    shared.context = &spanning_context(making.context_id, *comm.group);
    enlist(shared);
    delete &making;
}

} // namespace

// Each exchange also ends the call with an error if the members disagree on the operation.
// `mine.error` is the same in all members from the first exchange on.
Error make_spanning_window(Communicator &comm, WindowProposal &mine) {
    constexpr Collective collective = Collective::WindowCreation;
    if (Error error = exchange_together(comm, &mine, {give_facts, take_facts}, collective))
        return error;
    if (!mine.error && has_memory(*mine.spanning))
        if (Error error = exchange_together(comm, &mine, {give_memory, take_memory}, collective))
            return error;
    if (!mine.error)
        if (Error error = exchange_together(comm, &mine, {give_places, take_places}, collective))
            return error;
    return success;
}

bool shares_node(const Window &win, int rank) {
    if (win.parts[rank].is_here())
        return true;
    const NodeProcess process = win.shared->remote->members[static_cast<size_t>(rank)].process;
    return node_of(process) == node_of(this_node_process());
}

void forget_remote_members(RemoteMembers &remote) {
    for (const RemoteMembers::Member &member : remote.members)
        if (member.process == this_node_process() && member.memory.bytes > 0)
            fabric_withdraw(member.memory);
    delete &remote;
}

} // namespace thrum
