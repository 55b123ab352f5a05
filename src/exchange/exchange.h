// Exchange: the packets of one collective operation between node processes. Flow: the coroutine
// that sends and awaits them (docs/between_processes.md). The last member of its process to arrive
// starts the flow. In a blocking operation the flow waits on that member's stack and never leaves
// it. Otherwise it is suspended, and resumes in the thread that delivers the packet.
//
// If a flow fails, it stays suspended, and the code that resumed it destroys its frame.
#pragma once
#include "comm/span.h"
#include "pt2pt/packet_queue.h"

#include <coroutine>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace thrum {

// Bytes with shared ownership: a packet may be sent to several processes, and a sender may still
// need it when the flow has ended.
class SharedBytes {
public:
    SharedBytes() = default;

    SharedBytes(const SharedBytes &other) : memory_(other.memory_) { retain(); }

    SharedBytes(SharedBytes &&other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}

    SharedBytes &operator=(SharedBytes other) noexcept {
        std::swap(memory_, other.memory_);
        return *this;
    }

    ~SharedBytes() { release(); }

    // Returns memory of this size, which is not initialised.
    static SharedBytes of_size(size_t size_bytes);
    // Takes ownership of `data`, which is from malloc.
    static SharedBytes owning(void *data, size_t size_bytes);

    explicit operator bool() const { return memory_ != nullptr; }

    char *data() const { return memory_->data; }

    size_t size_bytes() const { return memory_->size_bytes; }

    // For send_packet(): takes a reference, and releases it.
    void *hold() const;
    static void drop(void *held);

private:
    struct Memory {
        std::atomic<int> references;
        size_t size_bytes;
        char *data;
    };

    void retain() const {
        if (memory_)
            memory_->references.fetch_add(1, std::memory_order_relaxed);
    }

    void release();
    Memory *memory_ = nullptr;
};

// A coroutine without a result. `co_await flow` runs it to its end.
class [[nodiscard]] Flow {
public:
    struct promise_type {
        std::coroutine_handle<> continuation;

        Flow get_return_object() {
            return Flow(std::coroutine_handle<promise_type>::from_promise(*this));
        }

        std::suspend_always initial_suspend() noexcept { return {}; }

        struct Final {
            bool await_ready() noexcept { return false; }

            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
                return h.promise().continuation;
            }

            void await_resume() noexcept {}
        };

        Final final_suspend() noexcept { return {}; }

        void return_void() {}

        void unhandled_exception() { __builtin_unreachable(); } // nothing throws
    };

    Flow(Flow &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

    Flow(const Flow &) = delete;
    Flow &operator=(const Flow &) = delete;

    ~Flow() {
        if (handle_)
            handle_.destroy();
    }

    bool await_ready() const noexcept { return false; }

    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
        handle_.promise().continuation = caller;
        return handle_;
    }

    void await_resume() const noexcept {}

private:
    explicit Flow(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

// Returns this process as a visitor of a gate that announces its operation.
Gate::Visitor visitor_who_says(uint64_t announcement);

// Returns the error that this process and the sender of a packet take part in different operations.
// The first member of each process stands for it, as in their packets.
[[gnu::cold]] PacketFault disagreement_with(const Communicator &comm, const StrayPacket &packet);

// Returns a number for the operation, which differs from those of all others of this process.
inline uint64_t occasion_of(const Communicator &comm, int number) {
    return uint64_t{comm.context->id} << 32 | static_cast<uint32_t>(number);
}

// One operation's exchange. Used by one flow, in whichever thread runs it.
class Exchange {
public:
    // Begins an exchange. `number` of the operation among those of the communicator: the same in
    // all processes. `blocking`: the caller of the flow may suspend. `announcement`: the operation
    // (meeting/announcement.h), which must be the same in all processes. `origin`: where the first
    // member of this process has called it.
    Exchange(Communicator &comm, int number, bool blocking, uint64_t announcement,
             const PacketOrigin &origin)
        : comm_(comm), span_(*comm.context->span), number_(number), blocking_(blocking),
          announcement_(announcement), origin_(origin) {}

    Exchange(const Exchange &) = delete;
    Exchange &operator=(const Exchange &) = delete;

    // Sends a packet to the process with this index in the span. Packets to a process arrive in
    // order. `packet` is kept until it has been sent. `types`: of data that the receiver compares.
    void send(int index, const SharedBytes &packet, const RemoteTypes &types = {}) MAY_SUSPEND;

    class Receive;
    // co_await receive(index) returns the next SharedBytes from that process.
    Receive receive(int index);

    // co_await wait_at(gate, door, before) waits like receive(), but at a gate at which this
    // process has arrived, and returns an empty SharedBytes.
    Receive wait_at(Gate &gate, Door &door, uint32_t before);

    uint64_t occasion() const { return occasion_of(comm_, number_); }

    bool blocking() const { return blocking_; }

    const ProcessMap &span() const { return span_; }

    // Makes this exchange part of `main`, whose flow also uses it: faults are recorded in `main`.
    void join(Exchange &main) { main_ = &main; }

    // Returns what the packet that was received last says.
    const PacketLabel &received() const { return received_; }

    // The error class and text with which the flow ended early; 0: none.
    int fault() const { return fault_.code; }

    const std::string &fault_sentence() const { return fault_.sentence; }

    const PacketFault &whole_fault() const { return fault_; }

    // A member of another process that had called another number of blocking operations before this
    // non-blocking one.
    struct OtherOrder {
        int member = -1; // -1: there is none
        PacketOrigin origin;
    };

    // Notes that the operation has ended well here. Returns false, and has a fault, if a process
    // has sent a packet that nobody has received, for another operation.
    bool end() MAY_SUSPEND;

    const OtherOrder &other_order() const { return other_order_; }

    const PacketOrigin &origin() const { return origin_; }

private:
    friend bool run_flow(Exchange &, Flow, void (*)(void *), void *);
    friend void end_failed_flow();
    Envelope envelope(NodeProcess process) const;
    bool is_lost();
    void fail(PacketFault fault);
    void fail_everywhere(const StrayPacket &other) MAY_SUSPEND;
    void fail_everywhere(NodeProcess source, const PacketLabel &label) MAY_SUSPEND;
    EndedOperation as_ended() const;
    void note_received(NodeProcess source, const PacketLabel &label);
    void abandon();

    Communicator &comm_;
    ProcessMap &span_;
    int number_;
    bool blocking_;
    uint64_t announcement_;
    PacketOrigin origin_;
    PacketLabel received_;
    OtherOrder other_order_;
    Exchange *main_ = this;
    PacketFault fault_;
    // The flow's outermost coroutine, and the function that is called when it has ended.
    std::coroutine_handle<> outermost_;
    void (*finished_)(void *argument) = nullptr;
    void *argument_ = nullptr;
};

// What co_await waits for: a packet, or the opening of a door.
class Exchange::Receive {
public:
    Receive(Exchange &exchange, const Envelope &envelope, const GateWait *gate = nullptr);

    bool await_ready() MAY_SUSPEND;
    bool await_suspend(std::coroutine_handle<> flow) MAY_SUSPEND;
    SharedBytes await_resume();

private:
    static void resume(void *receive) MAY_SUSPEND;
    bool has_failed() MAY_SUSPEND;
    void wait() MAY_SUSPEND;
    void compare_with_gate();

    Exchange &exchange_;
    // On the heap: its alignment is more than a coroutine's frame guarantees.
    std::unique_ptr<PacketReceive> request_;
    WaitGroup arrived_;
    std::coroutine_handle<> flow_;
    std::optional<GateWait> gate_;
};

// Runs the flow, then calls finished(argument): either before it returns, or later on another
// thread, when the exchange may have been freed. A flow that fails ends at once and sets
// exchange.fault(). Returns true if the exchange was blocking and the flow has reached its end.
bool run_flow(Exchange &exchange, Flow flow, void (*finished)(void *argument),
              void *argument) MAY_SUSPEND;
// Must be called in the same thread after code outside this file has resumed a flow.
void end_failed_flow();

} // namespace thrum
