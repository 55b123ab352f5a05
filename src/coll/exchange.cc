#include "coll/exchange.h"

#include "base/check.h"
#include "base/gs_base.h"
#include "comm/process.h"
#include "pt2pt/wait.h"
#include "trace/recorder.h"
#include "wireup/wireup.h"

#include <cstdlib>
#include <new>

namespace thrum {

PERFORMANCE_VARIABLE(collective_packets, .category = "collectives",
                     .description = "packets that this rank has sent to other node processes for "
                                    "collective operations, in the name of all ranks of its own",
                     .verbosity = MPI_T_VERBOSITY_USER_DETAIL);

PERFORMANCE_VARIABLE(collective_network_packets, .category = "collectives",
                     .description = "those of collective_packets that have gone to another node",
                     .verbosity = MPI_T_VERBOSITY_USER_DETAIL);

namespace {

[[gnu::cold]] void record_packet(const Communicator &comm, int process) {
    Recorder *recorder = comm.process->mailbox.recorder.load(std::memory_order_acquire);
    if (!recorder) // [recorder-1]
        return;
    recorder->count(collective_packets);
    if (node_of(process) != node_of(this_node_process()))
        recorder->count(collective_network_packets);
}

// The outermost coroutine: nobody awaits it, and it is gone when it has ended.
struct Detached {
    struct promise_type {
        Detached get_return_object() { return {}; }

        std::suspend_never initial_suspend() noexcept { return {}; }

        std::suspend_never final_suspend() noexcept { return {}; }

        void return_void() {}

        void unhandled_exception() { __builtin_unreachable(); } // nothing throws
    };
};

Detached run_detached(Flow flow, void (*finished)(void *), void *argument) {
    co_await flow;
    finished(argument);
}

} // namespace

Packet Packet::owning(void *data, size_t size_bytes) {
    Packet packet;
    packet.memory_ = new Memory{{1}, size_bytes, static_cast<char *>(data)};
    return packet;
}

Packet Packet::of_size(size_t size_bytes) {
    void *data = std::malloc(size_bytes ? size_bytes : 1);
    CHECK(data, "out of memory for %zu bytes of a collective operation", size_bytes);
    return owning(data, size_bytes);
}

void Packet::release() {
    // acq_rel [packet-1]: the last one frees after everybody's use.
    if (!memory_ || memory_->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    std::free(memory_->data);
    delete memory_;
}

void *Packet::hold() const {
    retain();
    return memory_;
}

void Packet::drop(void *held) {
    Packet packet;
    packet.memory_ = static_cast<Memory *>(held);
}

void Exchange::send(int index, const Packet &packet) {
    const Envelope envelope{comm_.context->id | 1, this_node_process(), number_};
    const int process = span_.processes[static_cast<size_t>(index)];
    if (somebody_listens()) [[unlikely]]
        record_packet(comm_, process);
    send_packet(process, envelope, packet.data(), packet.size_bytes(), &Packet::drop,
                packet.hold());
}

Exchange::Receive Exchange::receive(int index) {
    return Receive(*this,
                   {comm_.context->id | 1, span_.processes[static_cast<size_t>(index)], number_});
}

Exchange::Receive::Receive(Exchange &exchange, const Envelope &envelope)
    : exchange_(exchange), request_(std::make_unique<PacketReceive>(envelope)),
      arrived_(&Receive::resume, this, 1) {}

bool Exchange::Receive::await_ready() {
    if (receive_packet(*request_))
        return true;
    if (!exchange_.blocking_)
        return false;
    wait_blocked(
        request_->completion,
        {.kind = Blockage::Kind::Collective, .peer = -1, .communicator = &exchange_.comm_});
    return true;
}

// Once the request has joined, the flow may go on in another thread, and this object be gone.
bool Exchange::Receive::await_suspend(std::coroutine_handle<> flow) {
    flow_ = flow;
    return request_->completion.join(arrived_);
}

Packet Exchange::Receive::await_resume() {
    return Packet::owning(request_->buffer, request_->size_bytes);
}

// Functions of the program that the flow calls find their rank's private variables.
void Exchange::Receive::resume(void *argument) {
    auto &receive = *static_cast<Receive *>(argument);
    const uintptr_t of_rank = receive.exchange_.comm_.process->rank->gs_base;
    const uintptr_t of_thread = current_task_or_null ? current_task_or_null->gs_base : 0;
    if (of_rank != of_thread)
        set_gs_base(of_rank);
    receive.flow_.resume();
    if (of_rank != of_thread)
        set_gs_base(of_thread);
}

void run_flow(Flow flow, void (*finished)(void *argument), void *argument) {
    run_detached(std::move(flow), finished, argument);
}

} // namespace thrum
