// How flows are started, suspended, resumed and abandoned (exchange.h), and how processes that do
// different things are detected.
#include "exchange/exchange.h"

#include "base/check.h"
#include "base/gs_base.h"
#include "comm/process.h"
#include "exchange/gate_membership.h"
#include "meeting/announcement.h"
#include "meeting/disagreement.h"
#include "meeting/meeting.h"
#include "pt2pt/blocked.h"
#include "pt2pt/lost.h"
#include "pt2pt/packet_queue.h"
#include "pt2pt/remote_receive.h"
#include "pt2pt/remote_send.h"
#include "pt2pt/wait.h"
#include "trace/recorder.h"
#include "wireup/wireup.h"

#include <cstdlib>
#include <new>

namespace thrum {

PERFORMANCE_VARIABLE(collective_packets, .category = "collectives",
                     .description =
                         "packets that this rank has sent to other node processes for collective "
                         "operations, on behalf of all ranks of its node process",
                     .verbosity = MPI_T_VERBOSITY_USER_DETAIL);

PERFORMANCE_VARIABLE(collective_network_packets, .category = "collectives",
                     .description = "collective_packets that went to another node",
                     .verbosity = MPI_T_VERBOSITY_USER_DETAIL);

namespace {

[[gnu::cold]] void record_packet(const Communicator &comm, NodeProcess process) {
    // acquire [recorder-1]
    Recorder *recorder = comm.process->mailbox.recorder.load(std::memory_order_acquire);
    if (!recorder)
        return;
    recorder->count(collective_packets);
    if (node_of(process) != node_of(this_node_process()))
        recorder->count(collective_network_packets);
}

// The outermost coroutine. It is not awaited, and destroys itself when it ends.
struct Detached {
    struct promise_type {
        Detached get_return_object() { return {}; }

        std::suspend_never initial_suspend() noexcept { return {}; }

        std::suspend_never final_suspend() noexcept { return {}; }

        void return_void() {}

        void unhandled_exception() { __builtin_unreachable(); } // nothing throws
    };
};

// co_await OwnHandle{} gives a coroutine its own handle.
struct OwnHandle {
    std::coroutine_handle<> handle;

    bool await_ready() { return false; }

    bool await_suspend(std::coroutine_handle<> own) {
        handle = own;
        return false;
    }

    std::coroutine_handle<> await_resume() { return handle; }
};

Detached run_detached(std::coroutine_handle<> &outermost, Flow flow, void (*finished)(void *),
                      void *argument) {
    outermost = co_await OwnHandle();
    co_await flow;
    finished(argument);
}

// Returns whether a process that waits for packets of the operation cannot end it before all
// members have begun it, however few data they have.
bool needs_everybody(Collective collective) {
    switch (collective) {
    case Collective::Communicator:
    case Collective::Barrier:
    case Collective::Allgather:
    case Collective::Allgatherv:
    case Collective::Alltoall:
    case Collective::Alltoallv:
    case Collective::Alltoallw:
    case Collective::Allreduce:
    case Collective::ReduceScatter:
    case Collective::ReduceScatterBlock:
    case Collective::WindowCreation:
    case Collective::WindowFence:
    case Collective::WindowEnd:
    case Collective::Disconnect:
    case Collective::Finalize:
        return true;
    default:
        return false;
    }
}

// Returns the rank without which a process that waits for packets cannot end the operation; -1:
// none is known.
int needed_root(uint64_t announcement) {
    switch (Announcement::collective(announcement)) {
    case Collective::Bcast:
    case Collective::Scatter:
    case Collective::Scatterv:
        return Announcement::root(announcement);
    default:
        return -1;
    }
}

// The exchange whose flow has failed and stays suspended in the calling thread. Checked as soon as
// the flow has returned to the code that resumed it.
constinit thread_local Exchange *failed_exchange = nullptr;

// noinline: see task.h, current_task().
[[gnu::noinline]] void set_failed_exchange(Exchange *exchange) {
    failed_exchange = exchange;
}

[[gnu::noinline]] Exchange *take_failed_exchange() {
    return std::exchange(failed_exchange, nullptr);
}

} // namespace

SharedBytes SharedBytes::owning(void *data, size_t size_bytes) {
    SharedBytes packet;
    packet.memory_ = new Memory{{1}, size_bytes, static_cast<char *>(data)};
    return packet;
}

SharedBytes SharedBytes::of_size(size_t size_bytes) {
    void *data = std::malloc(size_bytes ? size_bytes : 1);
    CHECK(data, "out of memory for %zu bytes of a collective operation", size_bytes);
    return owning(data, size_bytes);
}

void SharedBytes::release() {
    // acq_rel [packet-1]: the last one frees after all others' use.
    if (!memory_ || memory_->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    std::free(memory_->data);
    delete memory_;
}

void *SharedBytes::hold() const {
    retain();
    return memory_;
}

void SharedBytes::drop(void *held) {
    SharedBytes packet;
    packet.memory_ = static_cast<Memory *>(held);
}

Envelope Exchange::envelope(NodeProcess process) const {
    return {comm_.context->id | 1, process.number(), number_};
}

void Exchange::send(int index, const SharedBytes &packet, const RemoteTypes &types) {
    const NodeProcess process = span_.processes[static_cast<size_t>(index)];
    if (somebody_listens()) [[unlikely]]
        record_packet(comm_, process);
    send_packet(process, envelope(this_node_process()),
                {Announcement::abbreviate(announcement_), types, origin_}, packet.data(),
                packet.size_bytes(), &SharedBytes::drop, packet.hold());
}

Exchange::Receive Exchange::receive(int index) {
    return Receive(*this, envelope(span_.processes[static_cast<size_t>(index)]));
}

Exchange::Receive Exchange::wait_at(Gate &gate, Door &door, uint32_t before) {
    const GateWait wait{&gate, &door, before, occasion(), &pass_packet};
    return Receive(*this, envelope(this_node_process()), &wait);
}

Gate::Visitor visitor_who_says(uint64_t announcement) {
    return {static_cast<uint32_t>(this_node_process().number()),
            Announcement::abbreviate(announcement)};
}

// Fails the exchange if one of its processes is lost.
bool Exchange::is_lost() {
    const NodeProcess process = lost_process_in(span_);
    if (process != no_process)
        fail({MPI_ERR_PROC_ABORTED, lost_process_sentence(process)});
    return process != no_process;
}

void Exchange::fail(PacketFault fault) {
    main_->fault_ = std::move(fault);
}

PacketFault disagreement_with(const Communicator &comm, const StrayPacket &packet) {
    const ProcessMap &span = *comm.context->span;
    const EndedOperation &mine = packet.ended;
    const int own = span.locals.front(), other = span.member_in(NodeProcess(packet.source));
    Dispute dispute{
        .calls = {Announcement::signed_by(Announcement::restore(mine.said), own),
                  Announcement::signed_by(Announcement::restore(packet.label.said), other)},
        .size_bytes = {},
        .functions = {mine.origin.function, packet.label.origin.function},
        .sentence = {}};
    MemberCalls calls{MemberCall{own, 0, mine.origin.call},
                      MemberCall{other, 0, packet.label.origin.call}};
    if (other < own) {
        std::swap(dispute.calls[0], dispute.calls[1]);
        std::swap(dispute.functions[0], dispute.functions[1]);
        std::swap(calls[0], calls[1]);
    }
    const bool blocking = Announcement::phase(dispute.calls[0]) == BlockingForm;
    const Error error = blocking ? round_disagreement(comm, dispute) : disagreement(comm, dispute);
    return {error.code(), error_detail(error.code()), calls};
}

// Records that the processes take part in different operations, and reports it to those that wait
// for our packets.
void Exchange::fail_everywhere(const StrayPacket &other) {
    fail(disagreement_with(comm_, other));
    for (NodeProcess process : span_.processes)
        if (process != this_node_process())
            send_fault(process, envelope(process), main_->fault_);
        else if (!blocking_) // later ones fail, too
            fail_packets_of(envelope(process), main_->fault_);
}

void Exchange::fail_everywhere(NodeProcess source, const PacketLabel &label) {
    fail_everywhere({as_ended(), source.number(), label});
}

EndedOperation Exchange::as_ended() const {
    return {comm_.context->id | 1, number_, Announcement::abbreviate(announcement_), origin_};
}

bool Exchange::end() {
    StrayPacket stray;
    if (fault() || !end_operation(as_ended(), stray)) [[likely]]
        return !fault();
    fail_everywhere(stray);
    return false;
}

// Keeps what a packet says, and compares the order of calls. All processes compare, so each
// difference is seen by the receiver of some packet.
void Exchange::note_received(NodeProcess source, const PacketLabel &label) {
    received_ = label;
    if (!blocking_ && label.origin.blocking_before != origin_.blocking_before) [[unlikely]]
        if (main_->other_order_.member < 0)
            main_->other_order_ = {span_.member_in(source), label.origin};
}

// Ends a failed flow, which stays suspended: destroys its frames and calls finished().
void Exchange::abandon() {
    void (*finished)(void *) = finished_;
    void *argument = argument_;
    outermost_.destroy();
    finished(argument);
}

Exchange::Receive::Receive(Exchange &exchange, const Envelope &envelope, const GateWait *gate)
    : exchange_(exchange),
      request_(std::make_unique<PacketReceive>(envelope, exchange.span_,
                                               Announcement::abbreviate(exchange.announcement_))),
      arrived_(&Receive::resume, this, 1) {
    if (gate)
        gate_ = *gate;
}

// Returns whether the receive has ended with an error, and records that.
bool Exchange::Receive::has_failed() {
    PacketReceive &packet = *request_;
    if (packet.fault.code) [[unlikely]] {
        exchange_.fail(std::move(packet.fault));
    } else if (packet.label.said != packet.expected) [[unlikely]] {
        std::free(packet.buffer);
        exchange_.fail_everywhere(NodeProcess(packet.envelope.source), packet.label);
    } else {
        exchange_.note_received(NodeProcess(packet.envelope.source), packet.label);
    }
    return exchange_.main_->fault() != 0;
}

bool Exchange::Receive::await_ready() {
    if (const auto stray = take_stray(request_->envelope.context)) [[unlikely]] {
        exchange_.fail_everywhere(*stray);
        return false;
    }
    if (receive_packet(*request_))
        return !has_failed();
    if (!exchange_.blocking_)
        return false;
    wait();
    return !has_failed();
}

// Detects that processes of this node are at their gate while others wait for packets: they take
// part in different operations, and no packet would reveal that.
void Exchange::Receive::compare_with_gate() {
    const GateMembership &here = gate_membership_of(exchange_.span_);
    if (here.state != GateMembership::State::There)
        return;
    Gate &gate = *here.gate;
    if (!gate_) { // published by wait_elsewhere()
        gate.absentee_call.store(exchange_.origin_.call, std::memory_order_relaxed);
        gate.absentee_function.store(exchange_.origin_.function, std::memory_order_relaxed);
    }
    const bool differ = gate_ ? gate.is_awaited_elsewhere(exchange_.occasion())
                              : gate.wait_elsewhere(exchange_.occasion(),
                                                    visitor_who_says(exchange_.announcement_));
    if (!differ) [[likely]]
        return;
    const Gate::Visitor other =
        (gate_ ? gate.absentee : gate.visitor).load(std::memory_order_relaxed);
    PacketOrigin origin;
    origin.call = (gate_ ? gate.absentee_call : gate.visitor_call).load(std::memory_order_relaxed);
    origin.function = gate_ ? gate.absentee_function.load(std::memory_order_relaxed) : 0;
    disturb_waiting_packet(exchange_.envelope(NodeProcess(static_cast<int>(other.process))),
                           {other.says, {}, origin});
}

void Exchange::Receive::wait() {
    compare_with_gate();
    if (gate_)
        fabric_await_gate(*gate_);
    const uint64_t announcement = exchange_.announcement_;
    const bool needs_all = needs_everybody(Announcement::collective(announcement));
    wait_blocked(request_->completion, {.kind = Blockage::Kind::Collective,
                                        .needs_all = needs_all,
                                        .peer = needed_root(announcement),
                                        .communicator = &exchange_.comm_,
                                        .request = static_cast<const Request *>(request_.get())});
    if (gate_)
        fabric_forget_gate(*gate_);
}

// Once the request has joined, the flow may resume in another thread and destroy this object. A
// failed flow stays suspended until the code that resumed it abandons it.
bool Exchange::Receive::await_suspend(std::coroutine_handle<> flow) {
    flow_ = flow;
    if (exchange_.main_->fault() == 0) {
        if (request_->completion.join(arrived_))
            return true;
        if (!has_failed())
            return false;
    }
    set_failed_exchange(exchange_.main_);
    return true;
}

SharedBytes Exchange::Receive::await_resume() {
    return SharedBytes::owning(request_->buffer, request_->size_bytes);
}

// Resumes the flow. gs base is set to the rank's private variables, for functions of the program
// that the flow calls.
void Exchange::Receive::resume(void *argument) {
    auto &receive = *static_cast<Receive *>(argument);
    const uintptr_t of_rank = receive.exchange_.comm_.process->rank->gs_base;
    const uintptr_t of_thread = current_task_or_null ? current_task_or_null->gs_base : 0;
    if (of_rank != of_thread)
        set_gs_base(of_rank);
    if (receive.has_failed())
        set_failed_exchange(receive.exchange_.main_);
    else
        receive.flow_.resume();
    if (of_rank != of_thread)
        set_gs_base(of_thread);
    end_failed_flow();
}

void end_failed_flow() {
    if (Exchange *failed = take_failed_exchange()) [[unlikely]]
        failed->abandon();
}

// The flow may end while it is started, or suspend and end later on another thread. In the second
// case the exchange may have been freed when run_detached() returns, so `blocking_` is read before.
bool run_flow(Exchange &exchange, Flow flow, void (*finished)(void *argument), void *argument) {
    if (exchange.is_lost()) [[unlikely]] {
        finished(argument);
        return false;
    }
    const bool blocking = exchange.blocking_;
    exchange.finished_ = finished;
    exchange.argument_ = argument;
    run_detached(exchange.outermost_, std::move(flow), finished, argument);
    Exchange *failed = take_failed_exchange();
    if (failed) [[unlikely]]
        failed->abandon();
    return blocking && !failed;
}

} // namespace thrum
