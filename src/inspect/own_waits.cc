// A reading takes its numbers of messages in the order that the proof in partial_watch.h needs:
// those sent after it has seen its ranks wait, those taken before it looks at the ranks again.
#include "inspect/own_waits.h"

#include "comm/blocking_calls.h"
#include "comm/made_objects.h"
#include "comm/span.h"
#include "fabric/fabric.h"
#include "fabric/traffic.h"
#include "inspect/deadlock.h"
#include "inspect/own_memory.h"
#include "meeting/world_end.h"
#include "pt2pt/envelope_message.h"
#include "rank/job.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace thrum {
namespace {

constexpr size_t messages_max = 256;      // examined in the queue of each rank
constexpr size_t communicators_max = 256; // of each rank

// Adds the envelopes that wait in the queue of a blocked rank and whose senders wait for an answer.
void add_queued(Rank &rank, std::vector<WaitingEnvelope> &queued) {
    Mailbox &mailbox = rank.process->mailbox;
    size_t examined = 0;
    LockGuard guard(mailbox.lock);
    for (UnexpectedMessage *message = mailbox.unexpected.first();
         message && examined < messages_max;
         message = mailbox.unexpected.next(*message), ++examined) {
        if (message->form != UnexpectedMessage::Form::Remote)
            continue;
        const auto &arrival = *static_cast<const RemoteArrival *>(message->data);
        if (arrival.sender)
            queued.push_back(
                {rank.world_rank, arrival.source.number(), arrival.sender, arrival.serial});
    }
}

// Copies the context of a communicator. Returns false if there is none, or if it is only of this
// process.
bool copy_spanning(const Communicator *comm, CopyOf<Communicator> &copy, CopyOf<Context> &context) {
    return comm && copy.take(comm) && copy->magic == Communicator::magic_live && copy->context &&
           context.take(copy->context) && spans(context->id);
}

// Returns whether the rank waits in MPI_Finalize, which has a context of its own
// (meeting/world_end.h).
bool is_in_finalize(const Process &process) {
    CopyOf<Communicator> copy;
    CopyOf<Context> context;
    return copy_spanning(process.world, copy, context) &&
           context->id == world_spanning_id() + spanning_id_step;
}

void add_begun(int world_rank, const Communicator *comm, std::vector<OperationCount> &begun) {
    CopyOf<Communicator> copy;
    CopyOf<Context> context;
    if (copy_spanning(comm, copy, context))
        begun.push_back({context->id, world_rank, blocking_calls(*copy)});
}

// Adds how many operations a blocked rank has begun on each of its communicators. One that is in
// MPI_Finalize has two contexts of MPI_COMM_WORLD; another one has begun none in that of the end.
void add_begun(const Rank &rank, std::vector<OperationCount> &begun) {
    const size_t first = begun.size();
    add_begun(rank.world_rank, rank.process->world, begun);
    if (const std::optional<BeforeWorldEnd> before = before_world_end(*rank.process))
        begun.push_back({before->context_id, rank.world_rank, before->blocking_calls});
    else
        begun.push_back({world_spanning_id() + spanning_id_step, rank.world_rank, 0});
    for (const MadeObject &object : made_objects(*rank.process))
        if (object.kind == MadeKind::Communicator && begun.size() - first < communicators_max)
            add_begun(rank.world_rank, static_cast<const Communicator *>(object.handle), begun);
}

bool is_blocked(const WaitNode &node) {
    return node.state == WaitNode::State::Blocked;
}

std::vector<uint64_t> numbers_of_messages(uint64_t (*number)(NodeProcess process)) {
    std::vector<uint64_t> numbers;
    for (NodeProcess process : node_processes())
        numbers.push_back(process == this_node_process() ? 0 : number(process));
    return numbers;
}

} // namespace

// If something else may act for the ranks, none is blocked.
ProcessWaits OwnWaits::read(const ProcessView &before, const ProcessView &now,
                            Details &details) const {
    WaitReading reading = read_waits(before, now);
    ProcessWaits waits;
    waits.first_rank = rank_at(0).world_rank;
    waits.graph = std::move(reading.graph);
    waits.sends = std::move(reading.sends);
    waits.operations = std::move(reading.operations);
    details.others_may_act =
        std::ranges::any_of(waits.graph.nodes, is_blocked) && other_causes_may_act();
    if (details.others_may_act)
        for (WaitNode &node : waits.graph.nodes)
            if (is_blocked(node))
                node.state = WaitNode::State::Free;
    for (size_t i = 0; i < waits.graph.nodes.size(); ++i) {
        Rank &rank = rank_at(static_cast<int>(i));
        if (!is_blocked(waits.graph.nodes[i]) || !rank.process)
            continue;
        if (is_in_finalize(*rank.process))
            waits.finalizing.push_back(rank.world_rank);
        if (now.ranks[i].polls)
            waits.polling.push_back(rank.world_rank);
        add_queued(rank, waits.queued);
        add_begun(rank, waits.begun);
    }
    details.witnesses = std::move(reading.witnesses);
    return waits;
}

bool OwnWaits::look() {
    ProcessView now = take_view();
    const ProcessView before = std::exchange(last_, now);
    const bool nothing_moves =
        now == before && now.others.empty(); // whether others sleep is unknown
    if (nothing_moves && is_examined_)
        return false;
    Details details;
    ProcessWaits waits = read(before, now, details);
    is_examined_ = nothing_moves && !details.others_may_act && !now.some_poll();
    std::string said = waits_to_text(waits);
    const bool is_first = said_.empty();
    const bool says_something = std::ranges::any_of(waits.graph.nodes, [](const WaitNode &node) {
        return node.state != WaitNode::State::Free;
    });
    if ((is_first && !says_something) || (said == said_ && details.witnesses == witnesses_))
        return false;
    waits.sent = numbers_of_messages(fabric_sent_to);
    text_ = waits_to_text(waits);
    said_ = std::move(said);
    witnesses_ = std::move(details.witnesses);
    read_at_ = std::move(now);
    ++number_;
    return true;
}

// A rank that had not ended by then may have sent something since.
std::string OwnWaits::read_again() const {
    fabric_catch_up();
    const std::vector<uint64_t> taken = numbers_of_messages(fabric_taken_from);
    const ProcessView now = take_view();
    Details details;
    ProcessWaits waits = read(read_at_, now, details);
    waits.taken = taken;
    for (size_t i = 0; i < waits.graph.nodes.size(); ++i) {
        WaitNode &node = waits.graph.nodes[i];
        const bool was_there = i < read_at_.ranks.size();
        if (is_blocked(node) && !(was_there && details.witnesses[i] == witnesses_[i]))
            node.state = WaitNode::State::Free;
        if (node.state == WaitNode::State::Gone && !(was_there && read_at_.ended[i]))
            node.state = WaitNode::State::Free;
    }
    return waits_to_text(waits);
}

void OwnWaits::forget() {
    said_.clear();
    is_examined_ = false;
}

} // namespace thrum
