// A member's request: the objects that it keeps alive, the wait, and the work of its completion
// call.
#include "pending/request.h"

#include "check/causality.h"
#include "comm/amount_mismatch.h"
#include "comm/blame.h"
#include "comm/call_names.h"
#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/span.h"
#include "datatype/status.h"
#include "exchange/process_part.h"
#include "meeting/call_order.h"
#include "pending/buffer_checks.h"
#include "pending/forms.h"
#include "pt2pt/request_places.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/wait.h"

namespace thrum {

// Requests with fewer bytes than this do not help others: it would not be worthwhile.
static constexpr size_t helpful_bytes_min = 4096;

// Keeps everything alive that the call's arguments name, until the operation completes. The program
// may free types and operations, and reuse arrays, as soon as the call has returned.
void CollectiveRequest::hold_arguments() {
    if (is_reduction(call.collective)) {
        auto &op = const_cast<Op &>(*call.reduction.op);
        if (!op.predefined) {
            retain(op);
            rare().op = &op;
        }
        hold_type(call.reduction.mine.type);
        return;
    }
    hold_type(call.movement.send.type());
    hold_type(call.movement.receive.type());
    if (call.movement.send.has_arrays())
        hold_arrays(call.movement.send, &Rare::send, &Rare::send_counts);
    if (call.movement.receive.has_arrays())
        hold_arrays(call.movement.receive, &Rare::receive, &Rare::receive_counts);
}

CollectiveRequest::Rare &CollectiveRequest::rare() {
    if (!rare_)
        rare_ = std::make_unique<Rare>();
    return *rare_;
}

// Takes a reference, because handles may be freed while the operation is pending.
inline void CollectiveRequest::hold_type(const Datatype *type) {
    if (!type || type->predefined)
        return;
    auto &named = const_cast<Datatype &>(*type);
    retain(named);
    rare().types.push_back(&named);
}

// Copies arrays of the caller, which may be a binding for another language and have made them only
// for this call: mpi4py frees the counts of MPI_Iallgatherv when it returns.
inline void CollectiveRequest::hold_arrays(Blocks &blocks,
                                           std::vector<MPI_Datatype> Rare::*types_copy,
                                           std::vector<MPI_Count> Rare::*counts_copy) {
    if (blocks.has_counts())
        blocks = blocks.with_counts(rare().*counts_copy, comm->remote_size);
    if (!blocks.types())
        return;
    std::vector<MPI_Datatype> &handles = rare().*types_copy;
    handles.assign(blocks.types(), blocks.types() + comm->remote_size);
    for (MPI_Datatype handle : handles)
        hold_type(find_datatype(handle));
    blocks = blocks.with_types(handles.data());
}

[[gnu::noinline]] CollectiveRequest::Rare::~Rare() {
    for (Datatype *type : types)
        release(*type);
    if (op)
        release(*op);
    if (series)
        series->release();
}

Error CollectiveRequest::result(MPI_Status *status) {
    if (status != MPI_STATUS_IGNORE)
        set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    if (tracks_causality()) [[unlikely]]
        note_completed(this);
    if (operation)
        take_and_leave();
    if (rare_) [[unlikely]]
        if (Error error = rare_result())
            return error;
    return fault.kind == Fault::Kind::None ? success : sentence();
}

void CollectiveRequest::take_and_leave() {
    CollectiveOperation &shared = *operation;
    if (takes)
        shared.forms->take(*this);
    operation = nullptr;
    if (alone || shared.leave(member))
        shared.let_go();
}

// Differences are between the calls that have begun the operation. A sentence about two members
// names the operation.
Error CollectiveRequest::report_fault(const SpanningFault &found) const {
    if (!found.is_mild) {
        const bool names_it = found.calls[1].member >= 0;
        const Error error = fail(found.code, "%s%s%s", names_it ? "" : name(), names_it ? "" : ": ",
                                 found.sentence.c_str());
        add_member_calls(*comm, found.calls);
        return error;
    }
    const CallPlace begun = place ? request_place(*current_rank().process, place) : CallPlace{};
    const auto place_of_call = [&](const MemberCall &call) {
        return CallPlace{begun.function, call_site_of(call.code)};
    };
    if (found.code != MPI_ERR_OTHER)
        return judge(found.code, {found.sentence, place_of_call(found.calls[0]), begun});
    return judge_order(*comm,
                       {{found.calls[0].member, place_of_call(found.calls[0])},
                        {found.calls[1].member, place_of_call(found.calls[1])},
                        name(),
                        found.before},
                       name());
}

Error CollectiveRequest::rare_result() {
    if (const SpanningFault *found = rare_->spanning_fault.get())
        if (Error error = report_fault(*found))
            return error;
    if (rare_->beside) {
        const Block &from = rare_->result_beside;
        copy_block(from, {call.reduction.mine.receive, from.count, from.type});
        rare_->beside.reset();
    }
    rare_->copy.reset();
    return success;
}

void CollectiveRequest::wait(const Blockage *of_several) {
    const Blockage own = blockage();
    Waiting waiting(of_several ? *of_several : own);
    if (helps())
        wait_and_help();
    else
        completion.wait();
}

[[gnu::noinline]] void CollectiveRequest::wait_and_help() {
    while (!completion.done())
        if (!help())
            completion.wait_or(
                [this] { return invitation.load(std::memory_order_relaxed) != nullptr; });
}

bool CollectiveRequest::help() {
    return accept_invitation(*this);
}

bool CollectiveRequest::helps() const {
    if (is_reduction(call.collective))
        return call.reduction.mine.size_bytes >= helpful_bytes_min;
    // A peer may be served together with other ranks.
    return call.collective != Collective::Barrier;
}

Error CollectiveRequest::cancel() {
    return blame(*comm, fail(MPI_ERR_REQUEST,
                             "the request is of %s, and a collective operation cannot be cancelled",
                             name()));
}

Error CollectiveRequest::check_free() const {
    return fail(MPI_ERR_REQUEST,
                "the request is of %s, and an active request of a collective operation may not be "
                "freed: complete it first",
                name());
}

Blockage CollectiveRequest::blockage() const {
    return {.kind = Blockage::Kind::Requests,
            .request_count = 1,
            .communicator = comm,
            .request = static_cast<const Request *>(this)};
}

void CollectiveRequest::add_missing(std::vector<int> &world_ranks) const {
    if (!operation)
        return;
    for (int side : {0, 1}) {
        const Group &group =
            side == (comm->inter ? comm->side : 0) ? *comm->group : *comm->remote_group;
        for (int rank = 0; rank < group.size && (comm->inter || side == 0); ++rank)
            if (!operation->requests[member_of(*comm, side, rank)])
                world_ranks.push_back(group[rank].world_rank());
    }
}

Error CollectiveRequest::start() {
    if (has_buffer_checks()) [[unlikely]]
        watch_collective(static_cast<const Request *>(this), *comm, call);
    return rare_->start(*this);
}

// Makes the error that the completion call returns. That is done there, and not where the fault was
// found, because error texts belong to the calling rank.
Error CollectiveRequest::sentence() const {
    switch (fault.kind) {
    case Fault::Kind::None:
        break;
    case Fault::Kind::Dispute:
        return disagreement(*comm, fault.dispute);
    case Fault::Kind::NoRoot:
        return fail(MPI_ERR_ROOT, "root: no rank of the remote group has passed MPI_ROOT to %s",
                    name());
    case Fault::Kind::Truncated:
        return fail(MPI_ERR_TRUNCATE, "%s: rank %d sends %zu bytes, but there is room for %zu",
                    name(), fault.peer, fault.sent_bytes, fault.room_bytes);
    case Fault::Kind::AllTruncated:
        return fail(MPI_ERR_TRUNCATE, "%s: all ranks send %zu bytes, but there is room for %zu",
                    name(), fault.sent_bytes, fault.room_bytes);
    case Fault::Kind::RootTruncated:
        return fail(MPI_ERR_TRUNCATE, "%s: rank %d sends more than the root has room for", name(),
                    fault.peer);
    }
    return success;
}

// Takes the request's invitation; nullptr: there is none. The hold on the operation goes to the
// caller.
static CollectiveOperation *take_invitation(CollectiveRequest &request) {
    // acquire [invite-1]
    return request.invitation.load(std::memory_order_relaxed)
               ? request.invitation.exchange(nullptr, std::memory_order_acquire)
               : nullptr;
}

bool accept_invitation(CollectiveRequest &request) {
    CollectiveOperation *operation = take_invitation(request);
    if (!operation)
        return false;
    operation->run_pieces(request, request.member);
    operation->let_go();
    return true;
}

// Between processes the caller only passes on what has come from another one.
void record_completion(const CollectiveRequest &request) {
    const RankThread &self = current_rank_thread();
    const Rank &owner = *request.comm->process->rank;
    if (observe::wants_completion(owner.record) && &owner != self.rank &&
        !spans(request.comm->context->id))
        observe::note_completion(
            *owner.record, observe::completion_by(self.observed, self.rank->world_rank,
                                                  self.rank->record, observe::Cause::CameLast));
}

void uninvite(CollectiveRequest &request) {
    if (CollectiveOperation *operation = take_invitation(request))
        operation->let_go();
}

// Walks all members' requests once. Those that wait are woken together at the end.
void complete_all(CollectiveOperation &operation, Result result, CollectiveRequest *own) {
    TaskList awake;
    CollectiveRequest *const *end = operation.requests + operation.owner->members;
    for (CollectiveRequest *const *entry = operation.requests; entry < end; ++entry) {
        CollectiveRequest *request = *entry;
        if (!is_pending(request))
            continue;
        if (result == Result::InScratch)
            request->takes = true;
        else
            request->operation = nullptr;
        if (request == own)
            complete_own(*request);
        else
            complete(*request, awake);
    }
    wake(awake);
    if (result == Result::InPlace)
        operation.let_go();
    else if (own)
        own->take_and_leave();
}

void fail_all(CollectiveOperation &operation, const Fault &fault) {
    for (int member = 0; member < operation.owner->members; ++member)
        if (CollectiveRequest *request = operation.requests[member]; is_pending(request))
            request->fault = fault;
    complete_all(operation, Result::InPlace, nullptr);
}

void fail_disputed(CollectiveOperation &operation, const Dispute &dispute) {
    Fault fault;
    fault.kind = Fault::Kind::Dispute;
    fault.dispute = dispute;
    fail_all(operation, fault);
}

void finish_in_place(CollectiveOperation &operation, CollectiveRequest &runner) {
    // A helper's own request is known to others, too.
    const bool helped = operation.work_is_open.load(std::memory_order_relaxed);
    complete_all(operation, Result::InPlace, helped ? nullptr : &runner);
}

bool all_agree(CollectiveOperation &operation) {
    const Dispute *dispute = operation.dispute.get();
    if (dispute) [[unlikely]]
        fail_disputed(operation, *dispute);
    return !dispute;
}

void abstain(CollectiveOperation &operation, int member) {
    {
        LockGuard guard(operation.lock); // a scan reads it before all have arrived
        operation.requests[member] = completed_early();
    }
    if (operation.count_arrival(member))
        fail_disputed(operation, *operation.dispute.get());
}

void note_type_error(CollectiveRequest &request, Error error) {
    request.rare().spanning_fault =
        std::make_unique<SpanningFault>(SpanningFault{error.code(), error_detail(error.code())});
}

void check_pending(CollectiveRequest &request, const Block &from, int from_member, const Block &to,
                   int to_member) {
    if (types_surely_match(*from.type, *to.type) && from.size_bytes() >= to.size_bytes()) [[likely]]
        return;
    if (Error error =
            compare_types(*request.comm, {{from.type, from.size_bytes()}, from_member, {}},
                          {{to.type, to.size_bytes()}, to_member, {}}))
        note_type_error(request, error);
}

void copy_to(CollectiveRequest &to, int rank, const Block &from, const Block &room) {
    check_pending(to, from, contributors(*to.comm).first + rank, room, to.member);
    if (copy_block(from, room)) [[likely]]
        return;
    to.fault.kind = Fault::Kind::Truncated;
    to.fault.peer = rank;
    to.fault.sent_bytes = from.size_bytes();
    to.fault.room_bytes = room.size_bytes();
}

} // namespace thrum
