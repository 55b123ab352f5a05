// Takes the snapshot of all ranks (snapshot.h). Reads what ranks leave for reports: Call and
// Blockage (rank/rank.h), and mailboxes. Pointers are followed no further than needed: a rank may
// be blocked in the middle of anything.
#include "inspect/snapshot.h"

#include "comm/blocking_calls.h"
#include "comm/call_names.h"
#include "comm/group.h"
#include "comm/made_objects.h"
#include "comm/process.h"
#include "fiber/os_threads.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "pt2pt/request.h"
#include "pt2pt/request_places.h"
#include "rank/job.h"
#include "rank/vain_polls.h"

#include <algorithm>
#include <map>
#include <utility>

namespace thrum {
namespace {

constexpr size_t sites_max = 256;              // limit of call sites that get names
constexpr int requests_shown_max = 4;          // for a rank in MPI_Waitall
constexpr size_t messages_examined_max = 1000; // in each unexpected queue; bounds the time
constexpr size_t unmatched_per_rank_max = 2;   // messages that are reported

// Takes a snapshot of all ranks. One object per snapshot.
class Collector {
public:
    Snapshot collect(std::vector<Rank *> ranks);

private:
    void note_site(const void *call_site);
    void name_sites();
    int communicator(const Communicator *comm);
    PendingOperation operation(const Blockage &blockage, const Process &process);
    PendingOperation operation(const Request &request, const Process &process);
    void note_requests(RankState &state, const Blockage &blockage, const Process &process);
    void find_waiting_threads();
    const Call &call_of(const Rank &rank) const;
    void note_polls(Rank &rank, const VainPolls &polls, RankState &state);
    void note_rank(Rank &rank);
    void note_unmatched(Rank &rank, const Blockage &blockage);
    std::vector<UnmatchedMessage> unmatched_elsewhere(const Rank &rank,
                                                      const std::vector<Envelope> &messages);

    std::vector<Rank *> ranks_; // parallel to snapshot_.ranks
    Snapshot snapshot_;
    std::map<const void *, int> communicators_;       // by Context
    std::map<uint32_t, int> communicator_of_context_; // by context id
    std::map<std::pair<std::string, uintptr_t>, size_t> site_of_location_;
    std::vector<Symbol> sites_; // one for each place in the program's file
    std::map<const Rank *, const RankThread *>
        waiting_threads_;              // one of each rank; not its main one
    std::vector<size_t> site_of_rank_; // parallel to snapshot_.ranks; sites_max: none
};

// Records the call site of the next rank. One site stands for a place in the program's file,
// whichever rank's clone contained the call. So a thousand ranks need one look-up of a name.
void Collector::note_site(const void *call_site) {
    size_t index = sites_max;
    if (call_site) {
        const void *address = static_cast<const char *>(call_site) - 1;
        Location location = find_location(address);
        std::pair key{std::string(location.path ? location.path : ""),
                      location.path ? location.offset : reinterpret_cast<uintptr_t>(address)};
        auto found = site_of_location_.find(key);
        if (found != site_of_location_.end()) {
            index = found->second;
        } else if (sites_.size() < sites_max) {
            index = sites_.size();
            site_of_location_[key] = index;
            sites_.emplace_back().address = address;
        }
    }
    site_of_rank_.push_back(index);
}

// Asks for all names at once, then gives each rank its place.
void Collector::name_sites() {
    symbolize(sites_.data(), sites_.size());
    for (const Symbol &site : sites_) {
        char text[512];
        std::string place = site.function[0] && site.place[0]
                                ? std::string(site.place) + " in " + site.function
                                : symbol_text(site, text, sizeof text);
        snapshot_.places.push_back(std::move(place));
    }
    for (size_t i = 0; i < snapshot_.ranks.size(); ++i)
        if (site_of_rank_[i] < sites_.size())
            snapshot_.ranks[i].place = snapshot_.places[site_of_rank_[i]].c_str();
}

// Returns the number of a communicator in the snapshot, and adds it when first seen. Communicators
// are identified by their context, which all members in this process share. -1: none.
int Collector::communicator(const Communicator *comm) {
    if (!comm || !comm->context || !comm->group)
        return -1;
    auto [place, fresh] =
        communicators_.try_emplace(comm->context, static_cast<int>(snapshot_.communicators.size()));
    if (!fresh)
        return place->second;
    CommunicatorState &state = snapshot_.communicators.emplace_back();
    state.context = comm->context->id;
    state.name = comm->name;
    state.size = comm->inter ? comm->remote_size : comm->size;
    for (int i = 0; i < comm->group->size; ++i)
        state.members.push_back((*comm->group)[i].world_rank());
    if (comm->inter && comm->remote_group)
        for (int i = 0; i < comm->remote_group->size; ++i)
            state.members.push_back((*comm->remote_group)[i].world_rank());
    communicator_of_context_[comm->context->id] = place->second;
    return place->second;
}

int world_rank_of_peer(const Communicator *comm, int peer) {
    const Group *group = comm ? (comm->remote_group ? comm->remote_group : comm->group) : nullptr;
    return group && peer >= 0 && peer < group->size ? (*group)[peer].world_rank() : -1;
}

// Returns the world rank of rank `rank` of an intra-communicator; -1 if there is none.
int member(const CommunicatorState &comm, int rank) {
    bool intra = static_cast<size_t>(comm.size) == comm.members.size();
    return intra && rank >= 0 && rank < comm.size ? comm.members[static_cast<size_t>(rank)] : -1;
}

// Says which generalized request it is, and what ends the wait for it.
std::string generalized_name(const Request &request, const Process &process) {
    std::string name = "generalized request";
    if (request.place)
        name += " made at " + site_of_call(request_place(process, request.place));
    return name + ", for which MPI_Grequest_complete has not been called";
}

// Names what a blocked call waits for if it is one request that is no message.
void note_request(const Request &request, const Process &process, PendingOperation &operation) {
    if (request.kind == RequestKind::Generalized) {
        operation.kind = PendingOperation::Kind::Described;
        operation.text = " for a " + generalized_name(request, process);
    }
    if (request.kind != RequestKind::Operation)
        return;
    const auto &waited_for = static_cast<const OperationRequest &>(request);
    operation.name = waited_for.name();
    waited_for.add_missing(operation.missing);
}

// Describes what a blocked call waits for.
PendingOperation Collector::operation(const Blockage &blockage, const Process &process) {
    static constexpr PendingOperation::Kind kinds[] = {
        PendingOperation::Kind::Receive,  PendingOperation::Kind::Send,
        PendingOperation::Kind::Probe,    PendingOperation::Kind::Collective,
        PendingOperation::Kind::Requests, PendingOperation::Kind::Described};
    const auto *comm = static_cast<const Communicator *>(blockage.communicator);
    PendingOperation operation;
    operation.kind = kinds[static_cast<size_t>(blockage.kind)];
    operation.peer = blockage.peer;
    operation.tag = blockage.tag;
    operation.size_bytes = blockage.size_bytes;
    operation.communicator = communicator(comm);
    operation.own_rank = comm ? comm->rank : 0;
    operation.inter = comm && comm->inter;
    operation.peer_world_rank = world_rank_of_peer(comm, blockage.peer);
    if (blockage.kind == Blockage::Kind::Collective && comm && comm->context->span)
        operation.call_number = static_cast<int>(blocking_calls(*comm));
    if (blockage.kind == Blockage::Kind::Described) {
        char text[400] = "";
        operation.peer_world_rank = blockage.describe(blockage, text, sizeof text);
        operation.text = text;
    }
    if (blockage.kind == Blockage::Kind::Requests && blockage.request)
        note_request(*static_cast<const Request *>(blockage.request), process, operation);
    return operation;
}

// Describes what a rank's request waits for, from its own fields; see isend_rendezvous() and
// ReceiveRequest.
PendingOperation Collector::operation(const Request &request, const Process &process) {
    PendingOperation operation;
    operation.communicator = communicator(request.comm);
    operation.own_rank = request.comm ? request.comm->rank : 0;
    operation.inter = request.comm && request.comm->inter;
    if (request.kind == RequestKind::Receive) {
        const Envelope &envelope = static_cast<const ReceiveRequest &>(request).envelope;
        operation.kind = PendingOperation::Kind::Receive;
        operation.peer = envelope.source;
        operation.tag = envelope.tag;
    } else if (request.kind == RequestKind::Send) {
        operation.kind = PendingOperation::Kind::Send;
        operation.peer = request.source;
        operation.tag = request.tag;
        operation.size_bytes = static_cast<int64_t>(request.size_bytes);
    } else if (request.kind == RequestKind::Operation) {
        operation.name = static_cast<const OperationRequest &>(request).name();
    } else if (request.kind == RequestKind::Generalized) {
        operation.name = generalized_name(request, process);
    }
    operation.peer_world_rank = world_rank_of_peer(request.comm, operation.peer);
    return operation;
}

// Counts the incomplete requests of a rank that waits for several, and describes the first few.
// Without an array the blockage tells only their number.
void Collector::note_requests(RankState &state, const Blockage &blockage, const Process &process) {
    const auto *requests = static_cast<const MPI_Request *>(blockage.requests);
    state.request_count = blockage.request_count;
    if (!requests || blockage.requests_length == 0)
        return;
    state.request_count = 0;
    for (int i = 0; i < blockage.requests_length; ++i) {
        if (!is_live_request(requests[i]) || !requests[i]->active || requests[i]->completion.done())
            continue;
        if (state.request_count++ < requests_shown_max)
            state.requests.push_back(operation(*requests[i], process));
    }
}

// Returns those messages that are on communicators of the rank's program. Nobody waits on them; the
// other messages are the library's own.
std::vector<UnmatchedMessage>
Collector::unmatched_elsewhere(const Rank &rank, const std::vector<Envelope> &messages) {
    std::vector<UnmatchedMessage> found;
    if (messages.empty())
        return found;
    std::vector<const Communicator *> communicators{rank.process->world};
    for (const MadeObject &object : made_objects(*rank.process))
        if (object.kind == MadeKind::Communicator)
            communicators.push_back(static_cast<const Communicator *>(object.handle));
    for (const Communicator *comm : communicators)
        for (const Envelope &envelope : messages)
            if (comm->context && comm->context->id == envelope.context)
                if (const int source = world_rank_of_peer(comm, envelope.source); source >= 0)
                    found.push_back({rank.world_rank, source, envelope.tag, communicator(comm)});
    return found;
}

// Records the messages in the rank's unexpected queue that are nearest to what it waits for, for
// the user to compare. Only tries the lock: its holder may be a thread that never continues. A rank
// that waits has no open tray.
void Collector::note_unmatched(Rank &rank, const Blockage &blockage) {
    if (!rank.process)
        return;
    const auto *comm = static_cast<const Communicator *>(blockage.communicator);
    Mailbox &mailbox = rank.process->mailbox;
    if (!mailbox.lock.try_lock_unsettled())
        return;
    size_t examined = 0;
    std::vector<UnmatchedMessage> found;
    std::vector<Envelope> elsewhere;
    for (UnexpectedMessage *message = mailbox.unexpected.first();
         message && examined < messages_examined_max;
         message = mailbox.unexpected.next(*message), ++examined) {
        const Envelope &envelope = message->envelope;
        auto known = communicator_of_context_.find(envelope.context);
        if (known == communicator_of_context_.end()) {
            elsewhere.push_back(envelope);
            continue;
        }
        bool same = comm && comm->context && comm->context->id == envelope.context;
        int source = same ? world_rank_of_peer(comm, envelope.source)
                          : member(snapshot_.communicators[known->second], envelope.source);
        if (source >= 0)
            found.push_back({rank.world_rank, source, envelope.tag, known->second});
    }
    mailbox.lock.unlock();
    const std::vector<UnmatchedMessage> others = unmatched_elsewhere(rank, elsewhere);
    found.insert(found.end(), others.begin(), others.end());
    const auto place = std::ranges::find(ranks_, &rank) - ranks_.begin();
    const RankState &state = snapshot_.ranks[static_cast<size_t>(place)];
    std::stable_sort(found.begin(), found.end(), [&](const auto &a, const auto &b) {
        return distance_of(a, state) < distance_of(b, state);
    });
    found.resize(std::min(found.size(), unmatched_per_rank_max));
    snapshot_.unmatched.insert(snapshot_.unmatched.end(), found.begin(), found.end());
}

void Collector::find_waiting_threads() {
    visit_os_threads(
        [](Task &task, void *argument) {
            const auto &thread = static_cast<const RankThread &>(task);
            // acquire [blockage-1]
            if (thread.rank && thread.call.blockage.load(std::memory_order_acquire))
                static_cast<Collector *>(argument)->waiting_threads_.try_emplace(thread.rank,
                                                                                 &thread);
        },
        this);
}

// Returns the call that stands for the rank: that of its main thread, unless only another thread
// waits, for which the main one may sleep.
const Call &Collector::call_of(const Rank &rank) const {
    const auto other = waiting_threads_.find(&rank);
    return rank.call.blockage.load(std::memory_order_relaxed) || other == waiting_threads_.end()
               ? rank.call
               : other->second->call;
}

// Records one that polls in vain, with its last poll.
void Collector::note_polls(Rank &rank, const VainPolls &polls, RankState &state) {
    const VainPoll &poll = polls.kinds[polls.last];
    state.function = name_of_function(poll.place.function);
    state.polls = static_cast<int>(polls.count);
    note_site(poll.place.call_site);
    state.operation = operation(poll.blockage, *rank.process);
    if (poll.blockage.kind == Blockage::Kind::Requests)
        note_requests(state, poll.blockage, *rank.process);
}

// Records one rank. Reads `ended` first: a rank that has ended has no call, whatever its record
// still says.
void Collector::note_rank(Rank &rank) {
    RankState &state = snapshot_.ranks.emplace_back();
    state.world_rank = rank.world_rank;
    state.ended =
        rank.ended.load(std::memory_order_acquire); // [rank-end-1]: after all that the rank did
    const Call &call = call_of(rank);
    const VainPolls *polls = call.polls.load(std::memory_order_acquire); // [polls-1]
    if (polls && !state.ended && rank.process && !call.blockage.load(std::memory_order_relaxed) &&
        still_polls(*polls, call.waits.load(std::memory_order_relaxed), rank.outside_looks))
        return note_polls(rank, *polls, state);
    unsigned function = call.function.load(std::memory_order_relaxed);
    state.function = function ? name_of_function(function) : nullptr;
    note_site(function ? call.call_site.load(std::memory_order_relaxed) : nullptr);
    const Blockage *blockage = call.blockage.load(std::memory_order_acquire); // [blockage-1]
    if (state.ended || !function || !blockage || !rank.process)
        return;
    state.operation = operation(*blockage, *rank.process);
    if (blockage->kind == Blockage::Kind::Requests)
        note_requests(state, *blockage, *rank.process);
}

// Messages are examined after all communicators are known. Names of places come last, because
// finding them starts a process.
Snapshot Collector::collect(std::vector<Rank *> ranks) {
    ranks_ = std::move(ranks);
    find_waiting_threads();
    for (Rank *rank : ranks_)
        note_rank(*rank);
    for (size_t i = 0; i < ranks_.size(); ++i) {
        // acquire [blockage-1]
        const Blockage *blockage = call_of(*ranks_[i]).blockage.load(std::memory_order_acquire);
        if (blockage && !snapshot_.ranks[i].ended && snapshot_.ranks[i].function)
            note_unmatched(*ranks_[i], *blockage);
    }
    name_sites();
    return std::move(snapshot_);
}

} // namespace

Snapshot take_snapshot() {
    std::vector<Rank *> ranks;
    for (int i = 0; i < rank_count(); ++i)
        ranks.push_back(&rank_at(i));
    return Collector().collect(std::move(ranks));
}

Snapshot take_snapshot_of(const std::vector<Rank *> &ranks) {
    return Collector().collect(ranks);
}

} // namespace thrum
