// MPI_Barrier (section 6.3), and meetings of the members for other purposes (meet). Between node
// processes, the processes of a node meet at a gate in shared memory, if they have one; the rest is
// packets along a tree.
#include "coll/coll.h"
#include "comm/call_names.h"
#include "exchange/node_gate.h"
#include "exchange/process_tree.h"
#include "pending/begin.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace thrum {
namespace {

// Non-blocking, between two groups (section 6.12.1): complete at a member when all members of the
// other group have called it.

void complete_list(CollectiveRequest *list) {
    TaskList awake;
    while (CollectiveRequest *request = list) {
        list = request->next;
        request->operation = nullptr;
        complete(*request, awake);
    }
    wake(awake);
}

// Closes the operation when all members have arrived. One that still waits does so because of a
// dispute, and gets that error.
void close_barrier(CollectiveOperation &operation) {
    for (CollectiveRequest *waiting : operation.side_waiting) {
        for (CollectiveRequest *request = waiting; request; request = request->next) {
            request->fault.kind = Fault::Kind::Dispute;
            request->fault.dispute = *operation.dispute.get();
        }
        complete_list(waiting);
    }
    operation.let_go();
}

// A member is done when the other group is complete, even if its own is not. So each group has a
// count and a list of waiting members of its own, and the last member of a group releases the other
// one's list.
void meet_other_group(CollectiveOperation &operation, CollectiveRequest &request) {
    const Communicator &comm = *request.comm;
    operation.requests[request.member] = &request; // for reports
    CollectiveRequest *others = nullptr;
    bool done;
    {
        LockGuard guard(operation.lock);
        bool own_is_complete = ++operation.side_arrived[comm.side] == comm.size;
        bool disputed = operation.dispute.get() != nullptr;
        done = !disputed && operation.side_arrived[1 - comm.side] == comm.remote_size;
        if (own_is_complete && !disputed)
            others = std::exchange(operation.side_waiting[1 - comm.side], nullptr);
        if (!done) {
            request.next = operation.side_waiting[comm.side];
            operation.side_waiting[comm.side] = &request;
        }
    }
    complete_list(others);
    if (done) {
        request.operation = nullptr;
        request.completion.set_done();
    }
    if (operation.count_arrival(request.member))
        close_barrier(operation);
}

// Non-blocking

void finish_barrier(CollectiveOperation &operation, CollectiveRequest &last) {
    if (all_agree(operation))
        complete_all(operation, Result::InPlace, &last);
}

inline void begin_barrier(CollectiveOperation &operation, CollectiveRequest &request) {
    if (operation.owner->inter)
        meet_other_group(operation, request);
    else if (join(operation, request))
        finish_barrier(operation, request);
}

// Records the arrival of a member whose call does not fit and that has no request here.
void abstain_from_barrier(CollectiveOperation &operation, int member) {
    if (!operation.owner->inter) {
        abstain(operation, member);
        return;
    }
    operation.requests[member] = completed_early();
    if (operation.count_arrival(member))
        close_barrier(operation);
}

// Between node processes

// Takes a gate in this process's shared memory; -1 if it is not shared with all of them, or none is
// free.
int take_gate(const GateMembership &here) {
    return std::ranges::all_of(here.processes, fabric_shares_memory) ? fabric_take_gate() : -1;
}

// Makes a gate in the first barrier, after all have arrived, or records that there will be none.
// `list`: all processes, grouped by node.
Flow agree_on_gate(ProcessPart &part, const std::vector<int> &list) MAY_SUSPEND {
    GateMembership &here = gate_membership_of(part.span);
    const int node = node_of(this_node_process());
    std::vector<int> indices;
    for (int index : list)
        if (NodeProcess process = part.span.processes[static_cast<size_t>(index)];
            node_of(process) == node) {
            indices.push_back(index);
            here.processes.push_back(process);
        }
    here.is_all = indices.size() == list.size();
    here.state = GateMembership::State::None;
    if (indices.size() == 1)
        co_return;
    SharedBytes packet;
    if (here.processes.front() == this_node_process()) {
        here.number = take_gate(here);
        packet = SharedBytes::of_size(sizeof here.number);
        std::memcpy(packet.data(), &here.number, sizeof here.number);
    }
    co_await spread(part, indices, 0, packet);
    std::memcpy(&here.number, packet.data(), sizeof here.number);
    here.gate = here.number < 0 ? nullptr : fabric_gate(here.processes.front(), here.number);
    if (here.gate)
        here.state = GateMembership::State::There;
}

// Sends packets up the tree and down again, except to processes of this node that have met at a
// gate.
Flow barrier_by_packets(ProcessPart &part, const std::vector<int> &list,
                        bool have_met) MAY_SUSPEND {
    const Tree tree(position_in(list, part.span.here), 0, nodes_of(part, list));
    const int here = node_of(this_node_process());
    std::vector<int> children;
    for (const Tree::Branch &child : tree.children)
        if (int index = list[static_cast<size_t>(child.root)];
            !have_met || node_of(part.span.processes[static_cast<size_t>(index)]) != here)
            children.push_back(index);
    for (size_t child = children.size(); child-- > 0;)
        co_await part.exchange.receive(children[child]);
    const SharedBytes empty = SharedBytes::of_size(0);
    // A process that met others at a gate represents them here: its parent is on another node.
    if (tree.parent >= 0) {
        const int parent = list[static_cast<size_t>(tree.parent)];
        part.exchange.send(parent, empty);
        co_await part.exchange.receive(parent);
    }
    for (int child : children)
        part.exchange.send(child, empty);
}

// Runs a barrier after `arrival` at the gate of this node, where the flow waits first.
Flow barrier_from_gate(ProcessPart &part, GateArrival arrival) MAY_SUSPEND {
    if (arrival.door && !arrival.is_over)
        co_await wait_at_gate(part.exchange, arrival);
    if (arrival.passed())
        co_return;
    const std::vector<int> list = grouped_by_node(part, all_processes(part));
    co_await barrier_by_packets(part, list, arrival.is_over);
    if (arrival.is_over)
        open_gate(part.span);
    else if (part.exchange.blocking() &&
             gate_membership_of(part.span).state == GateMembership::State::NotAsked)
        co_await agree_on_gate(part, list);
}

Flow barrier_flow(ProcessPart &part) MAY_SUSPEND {
    return barrier_from_gate(part, {});
}

// The members of this process meet first. The last one goes to the gate of the node. It uses
// packets only if the gate has not let it pass: for other nodes, or in the first barrier.
[[gnu::noinline]] Error barrier_between_processes(Communicator &comm) MAY_SUSPEND {
    const CollectiveCall call(Collective::Barrier);
    Participant mine(comm, call);
    const int number = next_spanning_number(comm, Collective::Barrier);
    const uint64_t announcement = announcement_of(comm, call, BlockingForm);
    return meet_here(
        comm, number, announcement, mine, [&](std::vector<Participant *> participants) MAY_SUSPEND {
            const GateArrival arrival =
                come_to_gate(*comm.context->span, occasion_of(comm, number),
                             visitor_who_says(announcement), code_of_call(participants[0]->place));
            if (!arrival.passed()) {
                ProcessPart part(comm, number, true, std::move(participants));
                run_blocking(part, barrier_from_gate(part, arrival));
            }
            // Packets that other processes of the node have sent before the barrier are handled
            // before it returns, by whichever path they came.
            fabric_catch_up();
        });
}

} // namespace

// Blocking

Error barrier(Communicator &comm) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return barrier_between_processes(comm);
    Attendance attendance(comm, Announcement::make(Collective::Barrier));
    attendance.pass(Attendance::Until::Complete);
    return attendance.verdict();
}

Error meet(Communicator &comm, const void *argument, Collective collective) {
    if (comm.context->span) [[unlikely]]
        return run_between_processes(comm, CollectiveCall(collective), barrier_flow);
    Attendance attendance(comm, Announcement::make(collective), argument);
    attendance.pass(Attendance::Until::Complete);
    return attendance.verdict();
}

void ibarrier(Communicator &comm, MPI_Request *request) {
    auto *made = new CollectiveRequest(comm, Collective::Barrier, -1, NonblockingForm);
    begin_nonblocking(*made, barrier_forms, begin_barrier, request);
}

const CollectiveForms barrier_forms = {
    .run = [](Communicator &comm, const CollectiveCall &) MAY_SUSPEND { return barrier(comm); },
    .begin = begin_barrier,
    .take = nullptr,
    .abstain = abstain_from_barrier,
    .flow = barrier_flow,
};

} // namespace thrum
