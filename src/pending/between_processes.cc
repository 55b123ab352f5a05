// Operations are matched by numbers inside the process (key) and between processes (tag of the
// packets). The numbers of non-blocking, initialised and started operations differ in their upper
// bits.
#include "pending/between_processes.h"

#include "base/spinlock.h"
#include "comm/blocking_calls.h"
#include "comm/call_names.h"
#include "pending/forms.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace thrum {

// This process's part in an operation for which members are still missing.
struct SpanningOperation {
    explicit SpanningOperation(size_t locals)
        : requests(locals), missing(locals), participants(locals) {}

    std::vector<CollectiveRequest *> requests; // by local member
    size_t missing;
    Flow (*flow)(ProcessPart &) = nullptr; // how the first local member's operation is done
    std::vector<Participant> participants; // by local member
    PacketFault dispute;                   // members of this process call different operations
    // A member of this process that had called another number of blocking operations before than
    // the first one.
    size_t other_order = 0;            // 0: none
    std::unique_ptr<ProcessPart> part; // made when all have arrived
};

// The operations of one communicator that wait for members of this process.
struct SpanningOperations {
    // How many operations of each kind a member has called. Non-blocking operations and
    // initialisations number their packets separately, and apart from blocking operations, because
    // they do not match each other.
    struct Called {
        uint32_t nonblocking = 0;
        uint32_t initialized = 0;
    };

    explicit SpanningOperations(const ProcessMap &span) : called(span.locals.size()) {}

    SpinLock lock; // guards the map
    std::unordered_map<uint64_t, SpanningOperation *> open;
    std::vector<Called> called; // by local member; each writes only its own
};

namespace {

void delete_operations(SpanningOperations *operations) {
    delete operations;
}

const Extension<ProcessMap, SpanningOperations, delete_operations> operations_of_span;

SpanningOperations &operations_of(const ProcessMap &span) {
    return operations_of_span.of(span).get_or_make(span);
}

// Gives a request what its participant has learnt, and completes it.
void complete_part(CollectiveRequest &request, Participant &participant, TaskList &awake) {
    if (participant.code && !request.has_spanning_fault()) [[unlikely]]
        request.rare().spanning_fault.reset(
            new SpanningFault{participant.code, std::move(participant.sentence),
                              participant.is_mild, participant.calls, nullptr});
    complete(request, awake);
}

// A member and where it is, as its packets say.
struct OrderedPart {
    int member;
    PacketOrigin origin;
};

// Gives the request of a local member the difference between two orders of calls, of which one is
// its own. Another mistake comes first.
void note_order(SpanningOperation &operation, size_t local, const OrderedPart &a,
                const OrderedPart &b) {
    CollectiveRequest &request = *operation.requests[local];
    if (operation.participants[local].code || request.has_spanning_fault())
        return;
    const bool a_is_early = a.origin.blocking_before < b.origin.blocking_before;
    const OrderedPart &early = a_is_early ? a : b, &late = a_is_early ? b : a;
    const auto last = static_cast<Collective>(late.origin.last_blocking);
    request.rare().spanning_fault.reset(
        new SpanningFault{MPI_ERR_OTHER,
                          {},
                          true,
                          {MemberCall{early.member, 0, early.origin.call},
                           MemberCall{late.member, 0, late.origin.call}},
                          collective_name(last)});
}

void note_orders(SpanningOperation &operation) {
    const ProcessMap &span = operation.part->span;
    const Exchange &exchange = operation.part->exchange;
    const OrderedPart first{span.locals[0], exchange.origin()};
    if (const size_t other = operation.other_order)
        note_order(operation, other, first,
                   {span.locals[other], operation.participants[other].origin()});
    if (exchange.other_order().member >= 0)
        note_order(operation, 0, first,
                   {exchange.other_order().member, exchange.other_order().origin});
}

// Completes the operation when all packets have arrived, on any thread.
void finish(void *argument) MAY_SUSPEND {
    auto *operation = static_cast<SpanningOperation *>(argument);
    Exchange &exchange = operation->part->exchange;
    if (!exchange.end()) [[unlikely]]
        operation->part->blame_all(exchange.whole_fault());
    if (operation->other_order || exchange.other_order().member >= 0) [[unlikely]]
        note_orders(*operation);
    TaskList awake;
    for (size_t i = 0; i < operation->requests.size(); ++i)
        complete_part(*operation->requests[i], operation->participants[i], awake);
    delete operation;
    make_all_runnable(awake);
}

// Completes an operation on which the members of this process disagree, and tells the other
// processes.
[[gnu::cold]] void finish_disputed(SpanningOperation *operation, const Communicator &comm,
                                   int number) MAY_SUSPEND {
    tell_fault(comm, number, operation->dispute);
    TaskList awake;
    for (size_t i = 0; i < operation->requests.size(); ++i) {
        operation->participants[i].blame(operation->dispute);
        complete_part(*operation->requests[i], operation->participants[i], awake);
    }
    delete operation;
    make_all_runnable(awake);
}

// Returns the error about two members of this process that take part in different operations.
[[gnu::cold]] PacketFault dispute_between(const SpanningOperation &operation, size_t a, size_t b) {
    const CollectiveRequest *requests[] = {operation.requests[std::min(a, b)],
                                           operation.requests[std::max(a, b)]};
    const Communicator &comm = *requests[0]->comm;
    const ProcessMap &span = *comm.context->span;
    const auto call_of = [&](size_t i) {
        return MemberCall{span.locals[i], 0, code_of_call(operation.participants[i].place)};
    };
    const Error error =
        disagreement(comm, {.calls = {requests[0]->announcement, requests[1]->announcement},
                            .size_bytes = {},
                            .sentence = {}});
    return {error.code(),
            error_detail(error.code()),
            {call_of(std::min(a, b)), call_of(std::max(a, b))}};
}

// Compares the request, which has just been entered, with that of the first member to come.
void compare(SpanningOperation &operation, const CollectiveRequest &request) {
    const auto own = static_cast<size_t>(request.comm->meeting_member);
    for (size_t i = 0; i < operation.requests.size(); ++i) {
        const CollectiveRequest *other = operation.requests[i];
        if (!other || i == own)
            continue;
        if (!Announcement::agree(other->announcement, request.announcement)) [[unlikely]] {
            if (!operation.dispute.code)
                operation.dispute = dispute_between(operation, i, own);
        } else if (operation.participants[i].blocking_before !=
                   operation.participants[own].blocking_before) [[unlikely]] {
            operation.other_order = std::max(i, own);
        }
        return;
    }
}

Collective last_call(const Communicator &comm) {
    return static_cast<Collective>(last_blocking_call(comm));
}

// Fills in where the calling member is.
void enter(Participant &participant, CollectiveRequest &request) {
    participant.call = &request.call;
    participant.comm = request.comm;
    participant.form = request.form;
    const bool was_initialized = request.form == PersistentForm; // which counts
    participant.place = was_initialized ? request.rare().initialized_at : current_call();
    participant.blocking_before =
        was_initialized ? request.rare().blocking_before : blocking_calls(*request.comm);
    participant.last_blocking =
        was_initialized ? request.rare().last_blocking : last_call(*request.comm);
}

// Begins the request's part. `key` identifies the operation among the open ones, `number`
// identifies its packets.
void begin(CollectiveRequest &request, Flow (*flow)(ProcessPart &), uint64_t key,
           int number) MAY_SUSPEND {
    Communicator &comm = *request.comm;
    ProcessMap &span = *comm.context->span;
    SpanningOperations &operations = operations_of(span);
    operations.lock.lock();
    SpanningOperation *&place = operations.open[key];
    if (!place)
        place = new SpanningOperation(span.locals.size());
    SpanningOperation *operation = place;
    const auto own = static_cast<size_t>(comm.meeting_member);
    operation->requests[own] = &request;
    enter(operation->participants[own], request);
    compare(*operation, request);
    if (comm.meeting_member == 0)
        operation->flow = flow;
    const bool is_last = --operation->missing == 0;
    if (is_last)
        operations.open.erase(key);
    operations.lock.unlock();
    if (!is_last)
        return;
    if (operation->dispute.code) [[unlikely]]
        return finish_disputed(operation, comm, number);
    std::vector<Participant *> participants;
    for (Participant &participant : operation->participants)
        participants.push_back(&participant);
    operation->part = std::make_unique<ProcessPart>(comm, number, false, std::move(participants));
    run_flow(operation->part->exchange, operation->flow(*operation->part), finish, operation);
}

SpanningOperations::Called &called_by(const Communicator &comm) {
    return operations_of(*comm.context->span).called[static_cast<size_t>(comm.meeting_member)];
}

int next_nonblocking_number(const Communicator &comm) {
    constexpr int nonblocking_bit = 1 << nonblocking_tag_shift;
    return nonblocking_bit | static_cast<int>(called_by(comm).nonblocking++ & spanning_number_mask);
}

// Marks the keys of started persistent operations, which consist of the number of the
// initialisation and that of the start.
constexpr uint64_t start_key = uint64_t{1} << 63;

uint64_t key_of_start(uint32_t initialization, uint64_t start) {
    return start_key | uint64_t{initialization} << 32 | (start & 0xffffffff);
}

int number_of_start(uint32_t initialization, uint64_t start) {
    constexpr int start_bit = 1 << 30;
    return start_bit | static_cast<int>(initialization & 0x7fff) << 15 |
           static_cast<int>(start & 0x7fff);
}

} // namespace

void begin_between_processes(CollectiveRequest &request, Flow (*flow)(ProcessPart &)) {
    const int number = next_nonblocking_number(*request.comm);
    begin(request, flow, static_cast<uint64_t>(number), number);
}

void initialize_between_processes(CollectiveRequest &request) {
    CollectiveRequest::Rare &series = request.rare();
    series.spanning_number = called_by(*request.comm).initialized++;
    series.initialized_at = current_call();
    series.blocking_before = blocking_calls(*request.comm);
    series.last_blocking = last_call(*request.comm);
}

Error start_between_processes(CollectiveRequest &request) {
    request.completion.reset();
    request.rare().spanning_fault.reset();
    CollectiveRequest::Rare &series = request.rare();
    const uint64_t start = series.starts++;
    begin(request, series.forms->flow, key_of_start(series.spanning_number, start),
          number_of_start(series.spanning_number, start));
    return success;
}

} // namespace thrum
