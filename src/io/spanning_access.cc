// Collective accesses across node processes, as coroutines. Each process runs
// access_across_processes(): exchange of extents and touched chunks, a plan that is computed alike
// by all, rounds of chunks, exchange of results. A round is one chunk for each aggregator.
//
// A blocking access runs on its caller's stack. A non-blocking one is continued by the thread that
// brings a packet; before any step that takes long it moves to an I/O thread (AwayFromFabric).
#include "io/spanning_access.h"

#include "io/chunk_packets.h"
#include "io/collective_access.h"
#include "io/file_decision.h"
#include "io/io_threads.h"
#include "io/keeper.h"
#include "libc/blocking_section.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace thrum {
namespace {

// Awaitable that continues on an I/O thread. The thread that brings a packet must return to the
// fabric soon, so it may not copy much or call the kernel. A blocking access already runs on a
// task: it just goes on.
class AwayFromFabric final : IoJob {
public:
    explicit AwayFromFabric(const AccessJoint &joint)
        : blocking_(joint.requests.exchange.blocking()) {}

    bool await_ready() const { return blocking_; }

    void await_suspend(std::coroutine_handle<> flow) {
        flow_ = flow;
        submit(*this);
    }

    void await_resume() const {}

private:
    void run() override {
        flow_.resume(); // this object may be gone afterwards
        end_failed_flow();
    }

    bool blocking_;
    std::coroutine_handle<> flow_;
};

void write_numbers(ByteWriter &to, const std::vector<Offset> &numbers) {
    to.number(numbers.size());
    for (Offset number : numbers)
        to.number(number);
}

std::vector<Offset> read_numbers(ByteReader &from) {
    std::vector<Offset> numbers(from.number<size_t>());
    for (Offset &number : numbers)
        number = from.number<Offset>();
    return numbers;
}

// Sends `mine`, which begins with write_call(), to all processes and receives theirs. `readers`
// stand behind that header. After a fault there are no readers.
Flow collect(AccessJoint &joint, SpanningAccess &access, const ByteWriter &mine,
             std::vector<SharedBytes> &packets, std::vector<ByteReader> &readers) MAY_SUSPEND {
    co_await collect_packets(joint.requests, packet_of(mine), packets);
    for (const SharedBytes &packet : packets)
        readers.emplace_back(packet.data());
    access.fault = read_calls(readers);
}

// What all processes know of an access; equal in all of them.
struct Plan {
    bool by_aggregators = true;
    Offset chunk_bytes = 1;
    size_t aggregators = 1;                   // how many chunks are handled at a time
    std::vector<Offset> chunks;               // numbers of all chunks that any process touches
    std::vector<std::vector<Offset>> touched; // those of each process, by its index

    // `chunk` here and below is an index into `chunks`.
    Offset first(size_t chunk) const { return chunks[chunk] * chunk_bytes; }

    Offset end(size_t chunk) const { return end_of_chunk(chunks[chunk], chunk_bytes); }

    bool touches(int index, size_t chunk) const {
        const std::vector<Offset> &own = touched[static_cast<size_t>(index)];
        return std::binary_search(own.begin(), own.end(), chunks[chunk]);
    }

    // Returns the index of the process that handles the chunk. Chunks go to the aggregators in
    // turn, and the aggregators are spread evenly over the processes.
    int aggregator_of(size_t chunk) const {
        return static_cast<int>(chunk % aggregators * touched.size() / aggregators);
    }

    size_t rounds() const { return (chunks.size() + aggregators - 1) / aggregators; }
};

// Writes what other processes need for the plan. If members here disagree, or an access cannot be
// aggregated, it says so and leaves the lists empty.
ByteWriter describe_accesses(const SpanningAccess &access, Offset chunk_bytes) {
    ByteWriter to;
    write_call(to, access.collective, access.fault);
    const bool by_aggregators = !access.fault && may_aggregate(access.file, access.accesses);
    to.number(access.writing);
    to.number(by_aggregators);
    size_t total_bytes = 0;
    std::vector<Offset> extents;
    if (by_aggregators)
        for (const Access *each : access.accesses) {
            const Extent extent = extent_of(each->span);
            extents.insert(extents.end(), {extent.first, extent.end});
            total_bytes += each->span.size_bytes;
        }
    to.number(total_bytes);
    write_numbers(to, extents);
    write_numbers(to, by_aggregators ? runs_of_chunks(touched_chunks(access.accesses, chunk_bytes))
                                     : std::vector<Offset>());
    return to;
}

// Makes the plan from all processes' descriptions. One process that does not permit aggregation
// decides for all.
void read_plan(std::vector<ByteReader> &readers, SpanningAccess &access, Plan &plan) {
    size_t total_bytes = 0;
    std::vector<Extent> extents;
    for (ByteReader &from : readers) {
        if (from.number<bool>() != access.writing && !access.fault)
            access.fault.take(fail(MPI_ERR_NOT_SAME, "%s", mixed_sentence));
        plan.by_aggregators = from.number<bool>() && plan.by_aggregators;
        total_bytes += from.number<size_t>();
        const std::vector<Offset> places = read_numbers(from);
        for (size_t i = 0; i < places.size(); i += 2)
            extents.push_back({places[i], places[i + 1]});
        plan.touched.push_back(chunks_of_runs(read_numbers(from)));
    }
    plan.by_aggregators =
        plan.by_aggregators && !access.fault && gains_by_aggregation(extents, total_bytes);
    if (!plan.by_aggregators)
        return;
    for (const std::vector<Offset> &chunks : plan.touched)
        plan.chunks = merge_chunks(std::move(plan.chunks), chunks);
    plan.aggregators =
        std::min(static_cast<size_t>(aggregators_of(access.file)), plan.chunks.size());
}

SharedBytes request_for(const SpanningAccess &access, const Plan &plan, size_t chunk) {
    return make_request(access.accesses, access.writing, plan.first(chunk), plan.end(chunk));
}

// Sends this process's requests of a round to the aggregators. Returns the request to this process
// itself, which needs no packet.
SharedBytes send_requests(AccessJoint &joint, const SpanningAccess &access, const Plan &plan,
                          size_t round) MAY_SUSPEND {
    const int here = joint.requests.span.here;
    SharedBytes own;
    const size_t end = std::min((round + 1) * plan.aggregators, plan.chunks.size());
    for (size_t chunk = round * plan.aggregators; chunk < end; ++chunk) {
        if (!plan.touches(here, chunk))
            continue;
        const int aggregator = plan.aggregator_of(chunk);
        if (aggregator == here)
            own = request_for(access, plan, chunk);
        else
            joint.requests.exchange.send(aggregator, request_for(access, plan, chunk));
    }
    return own;
}

// Does one chunk as its aggregator: receives the requests of all processes that touch it, moves the
// data, and sends the answers. `own` is this process's request, `own_answer` becomes its answer. A
// process that does not touch the chunk sends nothing and gets no answer.
Flow serve(AccessJoint &joint, SpanningAccess &access, const Plan &plan, size_t chunk,
           const SharedBytes &own, SharedBytes &own_answer) MAY_SUSPEND {
    const int here = joint.requests.span.here;
    std::vector<int> askers;
    std::vector<SharedBytes> requests, answers;
    for (int index = 0; index < joint.requests.span.count(); ++index) {
        if (!plan.touches(index, chunk))
            continue;
        SharedBytes request = own;
        if (index != here)
            request = co_await joint.requests.exchange.receive(index);
        askers.push_back(index);
        requests.push_back(std::move(request));
    }
    co_await AwayFromFabric(joint);
    blocking(access.writing ? "MPI_File_write_all" : "MPI_File_read_all", [&] {
        move_chunk(access.file, access.writing, plan.first(chunk), plan.end(chunk), requests,
                   answers, access.result);
        return 0;
    });
    const SharedBytes nothing = SharedBytes::of_size(0);
    for (size_t i = 0; i < askers.size(); ++i) {
        const SharedBytes &answer = access.writing ? nothing : answers[i];
        if (askers[i] == here)
            own_answer = answer;
        else
            joint.answers.send(askers[i], answer);
    }
}

// Receives the answers to this process's requests of a round, and copies what was read to the
// members' buffers. A writer waits for them, too: they limit the data that are in transit.
Flow take_answers(AccessJoint &joint, const SpanningAccess &access, const Plan &plan, size_t round,
                  const SharedBytes &own_answer) MAY_SUSPEND {
    const int here = joint.requests.span.here;
    const size_t end = std::min((round + 1) * plan.aggregators, plan.chunks.size());
    for (size_t chunk = round * plan.aggregators; chunk < end; ++chunk) {
        if (!plan.touches(here, chunk))
            continue;
        const int aggregator = plan.aggregator_of(chunk);
        SharedBytes answer = own_answer;
        if (aggregator != here)
            answer = co_await joint.answers.receive(aggregator);
        if (access.writing)
            continue;
        co_await AwayFromFabric(joint);
        scatter_answer(answer, access.accesses, plan.first(chunk), plan.end(chunk));
    }
}

// Does all rounds. The requests of the next round are sent before this round is served, so
// aggregators find their next work waiting. More are not sent: that bounds the memory for packets.
Flow move_chunks(AccessJoint &joint, SpanningAccess &access, const Plan &plan) MAY_SUSPEND {
    const int here = joint.requests.span.here;
    co_await AwayFromFabric(joint);
    SharedBytes own = send_requests(joint, access, plan, 0);
    for (size_t round = 0; round < plan.rounds(); ++round) {
        SharedBytes next;
        if (round + 1 < plan.rounds())
            next = send_requests(joint, access, plan, round + 1);
        SharedBytes own_answer;
        const size_t end = std::min((round + 1) * plan.aggregators, plan.chunks.size());
        for (size_t chunk = round * plan.aggregators; chunk < end; ++chunk)
            if (plan.aggregator_of(chunk) == here)
                co_await serve(joint, access, plan, chunk, own, own_answer);
        co_await take_answers(joint, access, plan, round, own_answer);
        own = std::move(next);
    }
}

// Merges the results of all aggregators, in all processes.
Flow collect_results(AccessJoint &joint, SpanningAccess &access) MAY_SUSPEND {
    SharedBytes mine = SharedBytes::of_size(sizeof(TransferResult));
    std::memcpy(mine.data(), &access.result, sizeof(TransferResult));
    std::vector<SharedBytes> packets;
    co_await collect_packets(joint.requests, mine, packets);
    access.result = {};
    for (const SharedBytes &packet : packets) {
        TransferResult result;
        std::memcpy(&result, packet.data(), sizeof result);
        access.result.merge(result);
    }
}

// Returns a number for the second exchange of an access. Numbers of other exchanges are not
// negative.
int number_of_answers(int number) {
    return number | INT_MIN;
}

} // namespace

// Answers have an Exchange of their own: two processes that are both aggregators send each other
// requests and answers in no fixed order, and receive() returns packets in the order of arrival.
AccessJoint::AccessJoint(Communicator &comm, int number, bool blocking)
    : requests(comm, number, blocking, {}),
      answers(comm, number_of_answers(number), blocking, 0, {}) {
    answers.join(requests.exchange);
}

SharedError AccessJoint::fault() const {
    return {requests.exchange.fault(), requests.exchange.fault_sentence()};
}

// Nothing is moved if anything is wrong: all processes see the same faults after the first
// exchange.
Flow access_across_processes(AccessJoint &joint, SpanningAccess &access) {
    Plan plan;
    // Smaller chunks than a page are not worth the messages that each one costs, whatever the hints
    // say.
    constexpr size_t chunk_bytes_min = 4096;
    plan.chunk_bytes =
        static_cast<Offset>(std::max(chunk_bytes_min, std::min(access.file.hints.cb_block_bytes,
                                                               access.file.hints.cb_buffer_bytes)));
    co_await AwayFromFabric(joint);
    const ByteWriter mine = describe_accesses(access, plan.chunk_bytes);
    std::vector<SharedBytes> packets;
    std::vector<ByteReader> readers;
    co_await collect(joint, access, mine, packets, readers);
    if (access.fault)
        co_return;
    read_plan(readers, access, plan);
    access.by_aggregators = plan.by_aggregators;
    if (!plan.by_aggregators)
        co_return;
    co_await move_chunks(joint, access, plan);
    co_await collect_results(joint, access);
}

// Each process gets the sizes of all ranks, and adds up those before each of its own. Only the base
// is missing then: rank 0's process moves the pointer once by the total, and spreads its old value.
Flow place_across_processes(AccessJoint &joint, SpanningAccess &access,
                            std::vector<OrderedPlace> &places) {
    const ProcessMap &span = joint.requests.span;
    ByteWriter mine;
    write_call(mine, access.collective, access.fault);
    for (const OrderedPlace &place : places)
        mine.number(place.etypes);
    std::vector<SharedBytes> packets;
    std::vector<ByteReader> readers;
    co_await collect(joint, access, mine, packets, readers);
    if (access.fault)
        co_return;
    Offset etypes = 0;
    size_t local = 0;
    for (int index : span.index_of) {
        if (index == span.here)
            places[local++].offset = etypes;
        etypes += readers[static_cast<size_t>(index)].number<Offset>();
    }
    // The keeper is the process of rank 0, the first of the list.
    SharedBytes pointer = SharedBytes::of_size(sizeof(Offset));
    if (span.here == 0) {
        Offset before = 0;
        (void)advance_shared_pointer(access.file, etypes, before); // it is here
        std::memcpy(pointer.data(), &before, sizeof before);
    }
    std::vector<int> list;
    for (int index = 0; index < span.count(); ++index)
        list.push_back(index);
    co_await spread(joint.requests, list, 0, pointer);
    Offset before;
    std::memcpy(&before, pointer.data(), sizeof before);
    for (OrderedPlace &place : places)
        place.offset += before;
}

} // namespace thrum
