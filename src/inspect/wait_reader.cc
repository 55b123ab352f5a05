#include "inspect/wait_reader.h"

#include "comm/blocking_calls.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/span.h"
#include "fiber/os_threads.h"
#include "fiber/thread_sleep.h"
#include "fiber/worker.h"
#include "inspect/own_memory.h"
#include "meeting/meeting.h"
#include "meeting/world_end.h"
#include "pt2pt/probers.h"
#include "pt2pt/request.h"
#include "rank/vain_polls.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace thrum {
namespace {

// Limit of the requests of one thread that are examined. Some of those that it waits for suffice.
constexpr int requests_max = 1024;

// Returns what the thread seems to poll for since the wait number `waits`; nullptr: it does not.
const VainPolls *polls_of(const RankThread &thread, uint32_t waits) {
    // acquire [polls-1]
    const VainPolls *polls = thread.call.polls.load(std::memory_order_acquire);
    CopyOf<VainPolls> copy;
    return polls && copy.take(polls) && still_polls(*copy, waits, thread.outside_looks) ? polls
                                                                                        : nullptr;
}

// Reads the words in the order in which the thread changes them in the opposite direction: a thread
// that has the same blockage and the same count later is in the same wait.
ThreadView view_of(const RankThread &thread) {
    ThreadView view;
    view.task = &thread;
    view.os_thread_id = thread.os_thread_id.load(std::memory_order_relaxed);
    view.is_announced = thread.blocking_call.load(std::memory_order_relaxed) != nullptr;
    view.waits = thread.call.waits.load(std::memory_order_relaxed);
    // acquire [blockage-1]
    const Blockage *blockage = thread.call.blockage.load(std::memory_order_acquire);
    if (thread.state.load(std::memory_order_relaxed) == TaskState::Waiting &&
        thread.call.function.load(std::memory_order_relaxed) != 0)
        view.blockage = blockage;
    if (!view.blockage)
        view.polls = polls_of(thread, view.waits);
    return view;
}

// Returns whether the rank has ended, or has finalized MPI: it will send nothing more. One that was
// let go from MPI_Finalize may still end with an exit code that explains all
// (finalize_release.h).
bool is_gone(const Rank &rank) {
    if (rank.ended.load(std::memory_order_acquire)) // [rank-end-1]
        return true;
    return rank.process &&
           rank.process->state.load(std::memory_order_relaxed) == ProcessState::Finalized &&
           !is_unfinished(*rank.process) && !was_released(*rank.process);
}

// Turns the waits of threads into a graph. One object per reading.
class Reader {
public:
    Reader(const ProcessView &before, const ProcessView &now) : before_(before), now_(now) {}

    WaitReading read();

private:
    using Members = std::vector<int>; // numbers of ranks; -1: a rank that has none

    void read_rank(size_t rank, const std::vector<const ThreadView *> &threads);
    bool has_stayed(const ThreadView &thread, size_t rank) const;
    std::optional<Witness> read_sleep(const ThreadView &thread);
    Wait read_wait(const ThreadView &thread, size_t rank);
    Wait read_blockage(const Blockage &blockage, size_t rank);
    Wait read_polls(const VainPolls *polls, size_t rank);
    using RoundOfMeeting = std::pair<const Meeting *, uint64_t>;

    void read_collective(const Blockage &blockage, const Communicator &comm, size_t rank,
                         Wait &wait);
    const Members &by_member(const Communicator &comm);
    void read_spanning(const Blockage &blockage, const Communicator &comm, const Context &context,
                       size_t rank, Wait &wait);
    void read_runner(const Blockage &blockage, const Communicator &comm, const Context &context,
                     const ProcessMap &span, size_t rank, Wait &wait);
    void need_to_begin(WaitingOperation operation, Members needed, Wait &wait);
    void note_missing(const RoundOfMeeting &round, const Slot *slots, const Members &by_slot,
                      Wait &wait);
    void find_runners();
    void read_requests(const Blockage &blockage, Wait &wait);
    std::optional<Need> need_of(const Request *request, const Request &copy);
    std::optional<Need> need_of_receive(const Communicator *comm, int peer, const void *request);
    std::optional<Need> need_of_probe(const Blockage &blockage, Rank &rank);
    std::optional<Need> need_of_polled_message(const Blockage &blockage, Rank &rank);
    std::optional<Need> need_of_send(const Communicator *comm, int peer, const void *request);
    std::optional<Need> need_of_peer(const Communicator *comm, int peer);
    const Members &members(const Group *group);
    int group_of(const Group *group);
    int number_of(int world_rank) const;
    bool is_elsewhere(int world_rank) const;

    // A rank that waits for the one that runs the operation for the members of this process.
    struct RunnerWait {
        const Context *context;
        size_t rank, wait; // index of rank_at(), and of its wait
    };

    const ProcessView &before_;
    const ProcessView &now_;
    WaitReading result_;
    std::map<const Group *, Members> members_;
    std::map<std::pair<const Group *, const Group *>, Members> members_of_both_;
    std::map<const Group *, int> groups_;    // in the graph
    std::map<RoundOfMeeting, int> missing_;  // group in the graph; -1: unknown
    std::map<const Context *, int> runners_; // numbers of ranks
    std::vector<RunnerWait> waits_for_runners_;
};

// Returns the number of a rank in the graph: its index, or in a job of several processes its world
// rank; -1 for one that is not in this process, or was added to the job.
int Reader::number_of(int world_rank) const {
    if (has_other_processes())
        return world_rank >= 0 && world_rank < first_world_size() ? world_rank : -1;
    const int index = world_rank - rank_at(0).world_rank;
    return index >= 0 && static_cast<size_t>(index) < now_.ranks.size() &&
                   rank_at(index).world_rank == world_rank
               ? index
               : -1;
}

bool Reader::is_elsewhere(int world_rank) const {
    const int index = world_rank - rank_at(0).world_rank;
    return has_other_processes() && (index < 0 || static_cast<size_t>(index) >= now_.ranks.size());
}

// Returns the members of a group; none if it cannot be read.
const Reader::Members &Reader::members(const Group *group) {
    auto [place, fresh] = members_.try_emplace(group);
    Members &found = place->second;
    CopyOf<Group> copy;
    if (!fresh || !copy.take(group) || copy->magic != Group::magic_live || copy->size < 0)
        return found;
    const auto size = static_cast<size_t>(copy->size);
    if (copy->first) {
        int first = 0;
        if (copy_own_memory(&copy->first->number, sizeof first, &first))
            for (size_t i = 0; i < size; ++i)
                found.push_back(number_of(first + static_cast<int>(i)));
        return found;
    }
    const auto processes = copy_own_array(copy->members.data(), size);
    for (size_t i = 0; processes && i < size; ++i) {
        int number = -1;
        if (!copy_own_memory(&(*processes)[i]->number, sizeof number, &number)) {
            found.clear();
            return found;
        }
        found.push_back(number_of(number));
    }
    return found;
}

// Returns the group's number in the graph. -1: it has members elsewhere, or cannot be read.
int Reader::group_of(const Group *group) {
    auto [place, fresh] = groups_.try_emplace(group, -1);
    if (!fresh)
        return place->second;
    const Members &all = members(group);
    if (all.empty() || std::ranges::find(all, -1) != all.end())
        return -1;
    result_.graph.groups.push_back(all);
    place->second = static_cast<int>(result_.graph.groups.size()) - 1;
    return place->second;
}

// Returns the need for an action of rank `peer` of the communicator, or of any of its ranks.
std::optional<Need> Reader::need_of_peer(const Communicator *comm, int peer) {
    CopyOf<Communicator> copy;
    if (!comm || !copy.take(comm) || copy->magic != Communicator::magic_live)
        return {};
    if (peer == MPI_ANY_SOURCE) {
        const int group = group_of(copy->remote_group);
        return group >= 0 ? std::optional(Need{Need::Of::AnyOfGroup, group}) : std::nullopt;
    }
    const Members &all = members(copy->remote_group);
    if (peer < 0 || static_cast<size_t>(peer) >= all.size() || all[static_cast<size_t>(peer)] < 0)
        return {};
    return Need{Need::Of::Rank, all[static_cast<size_t>(peer)]};
}

// A receive that has met a message from another process may wait for its data. That one of the same
// process makes it wait for a rank that runs, or completes it at once.
std::optional<Need> Reader::need_of_receive(const Communicator *comm, int peer,
                                            const void *request) {
    CopyOf<ReceiveRequest> receive;
    if (has_other_processes() && !(request &&
                                   receive.take(static_cast<const ReceiveRequest *>(
                                       static_cast<const Request *>(request))) &&
                                   receive->posted()))
        return {};
    return need_of_peer(comm, peer);
}

// A probe that a message from another process has woken is no longer in the list of its mailbox.
std::optional<Need> Reader::need_of_probe(const Blockage &blockage, Rank &rank) {
    if (has_other_processes()) {
        LockGuard guard(rank.process->mailbox.lock);
        const Prober *prober = rank.process->mailbox.probers;
        while (prober && prober != blockage.request)
            prober = prober->next;
        if (!prober)
            return {};
    }
    return need_of_peer(static_cast<const Communicator *>(blockage.communicator), blockage.peer);
}

// A message may be there that the next poll finds.
std::optional<Need> Reader::need_of_polled_message(const Blockage &blockage, Rank &rank) {
    const auto *comm = static_cast<const Communicator *>(blockage.communicator);
    CopyOf<Communicator> copy;
    CopyOf<Context> context;
    if (!comm || !copy.take(comm) || copy->magic != Communicator::magic_live || !copy->context ||
        !context.take(copy->context))
        return {};
    {
        LockGuard guard(rank.process->mailbox.lock);
        if (rank.process->mailbox.unexpected.find({context->id, blockage.peer, blockage.tag}))
            return {};
    }
    return need_of_peer(comm, blockage.peer);
}

// A send to another process waits for its receiver while the envelope is in the queue there.
std::optional<Need> Reader::need_of_send(const Communicator *comm, int peer, const void *request) {
    const std::optional<Need> need = need_of_peer(comm, peer);
    if (!need || !is_elsewhere(need->index))
        return need;
    CopyOf<SendRequest> send;
    if (!request ||
        !send.take(static_cast<const SendRequest *>(static_cast<const Request *>(request))) ||
        !send->remote_sender)
        return {};
    result_.sends.push_back(
        {need->index, this_node_process().number(), send->remote_sender, send->remote_serial});
    return Need{Need::Of::Envelope, static_cast<int>(result_.sends.size()) - 1};
}

// A request in a wait of its owner is not freed.
std::optional<Need> Reader::need_of(const Request *request, const Request &copy) {
    if (copy.kind == RequestKind::Send)
        return need_of_send(copy.comm, copy.source, request); // dest
    CopyOf<ReceiveRequest> receive;
    if (copy.kind == RequestKind::Receive &&
        receive.take(static_cast<const ReceiveRequest *>(request)))
        return need_of_receive(copy.comm, receive->envelope.source, request);
    return {};
}

// An unknown need is left out of a wait for all, since the known ones must be met as well. In a
// wait for one it may be the one that is met.
void Reader::read_requests(const Blockage &blockage, Wait &wait) {
    wait.all = !blockage.any;
    if (!blockage.requests || (blockage.any && blockage.requests_length > requests_max))
        return;
    const auto count = static_cast<size_t>(std::min(blockage.requests_length, requests_max));
    const auto handles = copy_own_array(static_cast<const MPI_Request *>(blockage.requests), count);
    for (size_t i = 0; handles && i < count; ++i) {
        CopyOf<Request> copy;
        const Request *request = (*handles)[i];
        if (request == MPI_REQUEST_NULL)
            continue;
        std::optional<Need> need;
        if (copy.take(request) && copy->magic == Request::magic_live) {
            if (!copy->active)
                continue;
            if (!copy->completion.done())
                need = need_of(request, *copy);
        }
        if (need) {
            wait.needs.push_back(*need);
        } else if (blockage.any) {
            wait.needs.clear();
            return;
        }
    }
}

// Members count their rounds before they arrive. So whoever has not counted the round has not
// arrived there.
void Reader::read_collective(const Blockage &blockage, const Communicator &comm, size_t rank,
                             Wait &wait) {
    CopyOf<Context> context;
    CopyOf<Meeting> meeting;
    if (!comm.context || !context.take(comm.context))
        return;
    if (context->span)
        return read_spanning(blockage, comm, *context, rank, wait);
    const Meeting *found = meetings.of(*context).get();
    if (!found || !meeting.take(found) || meeting->members != member_count(comm))
        return;
    const auto slots = static_cast<size_t>(meeting->members);
    const Members &local = members(comm.group);
    if (!blockage.needs_all) { // for the root, which publishes
        CopyOf<Slot> slot;
        if (!comm.inter && blockage.peer >= 0 &&
            static_cast<size_t>(blockage.peer) < std::min(local.size(), slots) &&
            slot.take(meeting->slots + blockage.peer) && slot->next_round <= blockage.round &&
            local[static_cast<size_t>(blockage.peer)] >= 0)
            wait.needs.push_back({Need::Of::Rank, local[static_cast<size_t>(blockage.peer)]});
        return;
    }
    note_missing({found, blockage.round}, meeting->slots, by_member(comm), wait);
}

// Returns the communicator's members, of an inter-communicator those of side 0 first; none if a
// group cannot be read.
const Reader::Members &Reader::by_member(const Communicator &comm) {
    const Members &local = members(comm.group);
    if (!comm.inter)
        return local;
    const Members &remote = members(comm.remote_group);
    const bool is_first = comm.side == 0;
    Members &all = members_of_both_[{is_first ? comm.group : comm.remote_group,
                                     is_first ? comm.remote_group : comm.group}];
    if (all.empty() && !local.empty() && !remote.empty()) {
        all = is_first ? local : remote;
        const Members &second = is_first ? remote : local;
        all.insert(all.end(), second.begin(), second.end());
    }
    return all;
}

// Adds the need for those of a meeting's members that have not arrived in the round.
void Reader::note_missing(const RoundOfMeeting &round, const Slot *slots, const Members &by_slot,
                          Wait &wait) {
    auto [place, fresh] = missing_.try_emplace(round, -1);
    if (fresh) {
        CopyOf<Slot> slot;
        std::vector<int> missing;
        for (size_t i = 0; i < by_slot.size(); ++i)
            if (by_slot[i] >= 0 && slot.take(slots + i) && slot->next_round <= round.second)
                missing.push_back(by_slot[i]);
        if (!missing.empty()) {
            result_.graph.groups.push_back(std::move(missing));
            place->second = static_cast<int>(result_.graph.groups.size()) - 1;
        }
    }
    if (place->second >= 0)
        wait.needs.push_back({Need::Of::AllOfGroup, place->second});
}

// The members of this process meet first; the last one runs the operation, and waits for packets
// (exchange/exchange.h).
void Reader::read_spanning(const Blockage &blockage, const Communicator &comm,
                           const Context &context, size_t rank, Wait &wait) {
    CopyOf<ProcessMap> span;
    if (!span.take(context.span))
        return;
    if (blockage.request)
        return read_runner(blockage, comm, context, *span, rank, wait);
    CopyOf<Meeting> meeting;
    const Meeting *found = meetings.of(context).get();
    if (!found || !meeting.take(found) ||
        static_cast<size_t>(meeting->members) != span->locals.size())
        return;
    const auto locals = copy_own_array(span->locals.data(), span->locals.size());
    const Members &all = by_member(comm);
    Members by_slot;
    for (size_t i = 0; locals && i < locals->size(); ++i) {
        const auto member = static_cast<size_t>((*locals)[i]);
        by_slot.push_back(member < all.size() ? all[member] : -1);
    }
    note_missing({found, blockage.round}, meeting->slots, by_slot, wait);
    if (wait.needs.empty())
        waits_for_runners_.push_back({comm.context, rank, result_.graph.nodes[rank].waits.size()});
}

void Reader::need_to_begin(WaitingOperation operation, Members needed, Wait &wait) {
    if (!needed.empty()) {
        result_.graph.groups.push_back(std::move(needed));
        operation.needed = static_cast<int>(result_.graph.groups.size()) - 1;
    }
    result_.operations.push_back(operation);
    wait.needs.push_back({Need::Of::Operation, static_cast<int>(result_.operations.size()) - 1});
}

// Reads the wait of the one that runs an operation. The numbers of operations are the same in all
// processes. A process sends no packet of an operation before all its members have begun it. (At a
// gate, which has no sender, the receive is for a packet of this process.)
void Reader::read_runner(const Blockage &blockage, const Communicator &comm, const Context &context,
                         const ProcessMap &span, size_t rank, Wait &wait) {
    runners_[comm.context] = rank_at(static_cast<int>(rank)).world_rank;
    const WaitingOperation operation{.context = context.id,
                                     .number = (blocking_calls(comm) - 1) & blocking_calls_mask,
                                     .waiter = rank_at(static_cast<int>(rank)).world_rank};
    const Members &all = by_member(comm);
    const auto root = static_cast<size_t>(blockage.peer);
    if (blockage.needs_all && !comm.inter)
        need_to_begin(operation, {}, wait);
    else if (!comm.inter && blockage.peer >= 0 && root < all.size() && all[root] >= 0)
        need_to_begin(operation, {all[root]}, wait);
    CopyOf<ReceiveRequest> packet;
    const auto processes = copy_own_array(span.processes.data(), span.processes.size());
    const auto index_of = copy_own_array(span.index_of.data(), span.index_of.size());
    if (!packet.take(
            static_cast<const ReceiveRequest *>(static_cast<const Request *>(blockage.request))) ||
        !packet->posted() || packet->envelope.source == this_node_process().number() ||
        !processes || !index_of || index_of->size() != all.size())
        return;
    Members senders;
    for (size_t member = 0; member < all.size(); ++member) {
        const auto index = static_cast<size_t>((*index_of)[member]);
        if (index < processes->size() && all[member] >= 0 &&
            (*processes)[index].number() == packet->envelope.source)
            senders.push_back(all[member]);
    }
    WaitingOperation sent = operation;
    sent.sends = true;
    if (!senders.empty())
        need_to_begin(sent, std::move(senders), wait);
}

// Members of which none is missing wait for the one that runs their operation.
void Reader::find_runners() {
    for (const RunnerWait &waiting : waits_for_runners_) {
        const auto runner = runners_.find(waiting.context);
        WaitNode &node = result_.graph.nodes[waiting.rank];
        if (runner != runners_.end() && waiting.wait < node.waits.size())
            node.waits[waiting.wait].needs.push_back({Need::Of::Rank, runner->second});
    }
}

// Returns the wait of a thread. One of which too little is known has no needs.
Wait Reader::read_wait(const ThreadView &thread, size_t rank) {
    if (thread.polls)
        return read_polls(thread.polls, rank);
    CopyOf<Blockage> blockage;
    return blockage.take(thread.blockage) ? read_blockage(*blockage, rank) : Wait{};
}

// One of the polls suffices. If there are several, a poll that needs all of its requests counts as
// one that needs any of them, since a wait cannot say both.
Wait Reader::read_polls(const VainPolls *polls, size_t rank) {
    CopyOf<VainPolls> copy;
    if (!copy.take(polls) || copy->count == 0 || copy->count > VainPolls::kinds_max)
        return {};
    Wait all;
    for (size_t i = 0; i < copy->count; ++i) {
        const Blockage &blockage = copy->kinds[i].blockage;
        Wait wait;
        if (blockage.kind != Blockage::Kind::Probe)
            wait = read_blockage(blockage, rank);
        else if (auto need = need_of_polled_message(blockage, rank_at(static_cast<int>(rank))))
            wait.needs.push_back(*need);
        if (wait.needs.empty())
            return {};
        if (copy->count == 1)
            return wait;
        all.needs.insert(all.needs.end(), wait.needs.begin(), wait.needs.end());
    }
    all.all = false;
    return all;
}

Wait Reader::read_blockage(const Blockage &blockage, size_t rank) {
    Wait wait;
    CopyOf<Communicator> comm;
    const auto *communicator = static_cast<const Communicator *>(blockage.communicator);
    std::optional<Need> need;
    switch (blockage.kind) {
    case Blockage::Kind::Receive:
        need = need_of_receive(communicator, blockage.peer, blockage.request);
        break;
    case Blockage::Kind::Send:
        need = need_of_send(communicator, blockage.peer, blockage.request);
        break;
    case Blockage::Kind::Probe:
        need = need_of_probe(blockage, rank_at(static_cast<int>(rank)));
        break;
    case Blockage::Kind::Collective:
        if (communicator && comm.take(communicator) && comm->magic == Communicator::magic_live)
            read_collective(blockage, *comm, rank, wait);
        break;
    case Blockage::Kind::Requests:
        read_requests(blockage, wait);
        break;
    case Blockage::Kind::Described:
        break;
    }
    if (need)
        wait.needs.push_back(*need);
    return wait;
}

// Returns whether the thread has been in the same wait in both views.
bool Reader::has_stayed(const ThreadView &thread, size_t rank) const {
    if (!thread.is_stuck())
        return false;
    if (thread.task == &rank_at(static_cast<int>(rank)))
        return rank < before_.ranks.size() && before_.ranks[rank] == thread;
    return std::ranges::any_of(before_.others, [&](const ProcessView::OtherThread &other) {
        return other.rank == rank && other.thread == thread;
    });
}

// Returns a witness if the thread sleeps until another thread of its rank wakes it. A fiber sleeps
// on the thread of its worker; the field is no atomic word, so it is copied.
std::optional<Witness> Reader::read_sleep(const ThreadView &thread) {
    int thread_id = thread.os_thread_id;
    if (thread_id == 0) {
        const auto worker = copy_own_array(&thread.task->worker, 1);
        if (thread.task->state.load(std::memory_order_relaxed) != TaskState::Running || !worker ||
            !worker->front())
            return {};
        thread_id = worker->front()->os_thread_id();
    }
    const std::optional<uint64_t> switches =
        thread_id ? sleeps_until_woken(thread_id) : std::nullopt;
    if (!switches)
        return {};
    ++(thread.is_announced ? result_.sleeping_announced : result_.sleeping_active);
    return Witness{thread, *switches};
}

// A rank is blocked if one of its threads waits in MPI or polls in vain, and each of the others
// does, too, or sleeps until it is woken. Their sleep is only looked at in that case.
void Reader::read_rank(size_t rank, const std::vector<const ThreadView *> &threads) {
    WaitNode &node = result_.graph.nodes[rank];
    std::vector<Witness> witnesses;
    for (const ThreadView *thread : threads)
        if (has_stayed(*thread, rank)) {
            node.waits.push_back(read_wait(*thread, rank));
            witnesses.push_back({*thread});
        }
    if (node.waits.empty())
        return;
    if (witnesses.size() < threads.size())
        for (const ThreadView *thread : threads)
            if (!has_stayed(*thread, rank)) {
                const std::optional<Witness> sleeper = read_sleep(*thread);
                if (!sleeper)
                    return;
                witnesses.push_back(*sleeper);
            }
    node.state = WaitNode::State::Blocked;
    result_.witnesses[rank] = std::move(witnesses);
}

WaitReading Reader::read() {
    const size_t count = now_.ranks.size();
    result_.graph.nodes.resize(count);
    result_.witnesses.resize(count);
    size_t other = 0;
    std::vector<const ThreadView *> threads;
    for (size_t rank = 0; rank < count; ++rank) {
        threads.assign(1, &now_.ranks[rank]);
        for (; other < now_.others.size() && now_.others[other].rank == rank; ++other)
            threads.push_back(&now_.others[other].thread);
        if (now_.ended[rank])
            result_.graph.nodes[rank].state = WaitNode::State::Gone;
        else
            read_rank(rank, threads);
    }
    find_runners();
    return std::move(result_);
}

} // namespace

bool ProcessView::some_poll() const {
    return std::ranges::any_of(ranks, [](const ThreadView &rank) { return rank.polls != nullptr; });
}

ProcessView take_view() {
    ProcessView view;
    // A run begins in the place of ranks that have ended.
    std::unique_lock table(rank_table_mutex());
    const int count = rank_count();
    for (int i = 0; i < count; ++i) {
        const Rank &rank = rank_at(i);
        view.ended.push_back(is_gone(rank));
        view.ranks.push_back(view_of(rank));
    }
    table.unlock();
    visit_os_threads(
        [](Task &task, void *argument) {
            auto &all = *static_cast<ProcessView *>(argument);
            const auto &thread = static_cast<const RankThread &>(task);
            if (!thread.rank || &thread == thread.rank)
                return;
            const auto rank = static_cast<size_t>(thread.rank - &rank_at(0));
            if (rank < all.ranks.size())
                all.others.push_back({rank, view_of(thread)});
        },
        &view);
    std::ranges::stable_sort(view.others, {}, &ProcessView::OtherThread::rank);
    return view;
}

WaitReading read_waits(const ProcessView &before, const ProcessView &now) {
    return Reader(before, now).read();
}

} // namespace thrum
