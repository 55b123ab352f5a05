// Operations are matched by numbers inside the process (key) and between processes (tag of the
// packets). The numbers of non-blocking, initialised and started operations differ in their upper
// bits.
#include "pending/between_processes.h"

#include "base/spinlock.h"
#include "pending/forms.h"

#include <optional>
#include <unordered_map>

namespace thrum {

// This process's part in an operation for which members are still missing.
struct SpanningOperation {
    std::vector<CollectiveRequest *> requests; // by local member
    size_t missing;
    Flow (*flow)(ProcessPart &) = nullptr; // how the first local member's operation is done
    std::vector<Participant> participants;
    std::optional<ProcessPart> part; // set when all have arrived
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

// Completes the operation when all packets have arrived, on any thread.
void finish(void *argument) {
    auto *operation = static_cast<SpanningOperation *>(argument);
    if (const Exchange &exchange = operation->part->exchange; exchange.fault()) [[unlikely]]
        operation->part->blame_all(exchange.fault(), exchange.fault_sentence().c_str());
    for (size_t i = 0; i < operation->requests.size(); ++i) {
        Participant &participant = operation->participants[i];
        CollectiveRequest &request = *operation->requests[i];
        if (participant.code && !request.has_spanning_fault())
            request.rare().spanning_fault.reset(new SpanningFault{
                participant.code, std::move(participant.sentence), participant.is_mild});
    }
    TaskList awake;
    for (CollectiveRequest *request : operation->requests)
        complete(*request, awake);
    delete operation;
    make_all_runnable(awake);
}

// Gives `request` the error that it and `other` take part in different operations.
void note_dispute(CollectiveRequest &request, const CollectiveRequest &other) {
    const std::string sentence = std::string("a member of the communicator calls ") +
                                 request.name() + ", another " + other.name();
    request.rare().spanning_fault.reset(new SpanningFault{MPI_ERR_OTHER, sentence});
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
        place = new SpanningOperation{
            std::vector<CollectiveRequest *>(span.locals.size()), span.locals.size(), {}, {}, {}};
    SpanningOperation *operation = place;
    operation->requests[static_cast<size_t>(comm.meeting_member)] = &request;
    for (const CollectiveRequest *other : operation->requests)
        if (other && !Announcement::agree(other->announcement, request.announcement))
            note_dispute(request, *other);
    if (comm.meeting_member == 0)
        operation->flow = flow;
    const bool is_last = --operation->missing == 0;
    if (is_last)
        operations.open.erase(key);
    operations.lock.unlock();
    if (!is_last)
        return;
    operation->participants.resize(operation->requests.size());
    std::vector<Participant *> participants;
    for (size_t i = 0; i < operation->requests.size(); ++i) {
        Participant &participant = operation->participants[i];
        participant.call = &operation->requests[i]->call;
        participant.comm = operation->requests[i]->comm;
        participants.push_back(&participant);
    }
    operation->part.emplace(comm, number, false, std::move(participants));
    run_flow(operation->part->exchange, operation->flow(*operation->part), finish, operation);
}

SpanningOperations::Called &called_by(const Communicator &comm) {
    return operations_of(*comm.context->span).called[static_cast<size_t>(comm.meeting_member)];
}

int next_nonblocking_number(const Communicator &comm) {
    constexpr int nonblocking_bit = 1 << 29;
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
    request.rare().spanning_number = called_by(*request.comm).initialized++;
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
