// A member's request: what it holds, how it is waited for, and what its completion call does.
#include "coll/collective_request.h"

#include "coll/begin_collective.h"
#include "coll/collective_work.h"
#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/group.h"
#include "comm/process.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/wait.h"

namespace thrum {

// Fewer elements than this are not worth help.
static constexpr size_t helpful_bytes_min = 4096;

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

// Handles may be freed while the operation is pending.
inline void CollectiveRequest::hold_type(const Datatype *type) {
    if (!type || type->predefined)
        return;
    auto &named = const_cast<Datatype &>(*type);
    retain(named);
    rare().types.push_back(&named);
}

// Arrays belong to the caller, who may be a binding for another language and have made them for
// this call (mpi4py frees the counts of MPI_Iallgatherv when it returns).
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
        take_result();
    operation = nullptr;
    if (alone || shared.leave(member))
        shared.let_go();
}

Error CollectiveRequest::rare_result() {
    if (rare_->spanning_fault)
        return fail(rare_->spanning_fault->code, "%s: %s", name(),
                    rare_->spanning_fault->sentence.c_str());
    if (rare_->beside) {
        const Reduction &reduction = call.reduction;
        Combiner(reduction.vector())
            .copy(rare_->beside.get() +
                      VectorSpan(reduction.share.count, *reduction.mine.type).origin,
                  reduction.mine.receive, reduction.share.count);
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
    // A peer may be served together with others.
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
            .communicator = comm,
            .request_count = 1,
            .request = static_cast<const OperationRequest *>(this)};
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

// The part of a member whose call does not fit and has no request: it has come, and gone.
static void join_in_dispute(CollectiveOperation &operation, Communicator &comm,
                            const Dispute &dispute);

bool note_misfit(CollectiveRequest &request, CollectiveOperation &operation) {
    const Dispute dispute{.calls = {operation.said, request.announcement}, .size_bytes = {}};
    if (Announcement::phase(operation.said) == InitForm) {
        request.fault.kind = Fault::Kind::Dispute;
        request.fault.dispute = dispute;
        join_in_dispute(operation, *request.comm, dispute);
        request.completion.set_done();
        return false;
    }
    request.misfit = true; // is told so when all have come
    operation.dispute.record(dispute);
    return true;
}

Error CollectiveRequest::start() {
    if (comm->context->span) [[unlikely]] {
        start_spanning(*this);
        return success;
    }
    if (const Dispute *dispute = rare_->series->dispute.get()) {
        fault.dispute = *dispute;
        return blame(*comm, disagreement(*comm, fault.dispute));
    }
    completion.reset();
    misfit = takes = alone = false;
    fault.kind = Fault::Kind::None;
    count_collective(*comm);
    begin(*this, rare_->series->find(rare_->starts++, announcement));
    return success;
}

NewCollective collective_of(Communicator &comm, const CollectiveCall &call, CallForm form) {
    auto made = std::make_unique<CollectiveRequest>(comm, call.collective, call.root, form);
    made->call = call;
    return made;
}

void begin_collective(CollectiveRequest &begun, MPI_Request *request) {
    begin_collective_here(begun, request);
}

// Finds what the members share of the persistent operation; waits for nobody.
Error initialize_collective(NewCollective made, MPI_Request *request) {
    Communicator &comm = *made->comm;
    made->accept_arguments();
    if (comm.context->span) [[unlikely]] {
        initialize_spanning(*made);
        *request = made.release();
        return success;
    }
    const uint64_t announcement = announcement_of(comm, made->call, InitForm);
    CollectiveOperation &operation = next_operation(comm, announcement);
    if (!Announcement::agree(operation.said, announcement)) {
        Dispute dispute{.calls = {operation.said, announcement}, .size_bytes = {}};
        join_in_dispute(operation, comm, dispute);
        return disagreement(comm, dispute);
    }
    made->rare().series = operation.series;
    if (operation.count_arrival(made->member))
        operation.let_go();
    *request = made.release();
    return success;
}

static void join_in_dispute(CollectiveOperation &operation, Communicator &comm,
                            const Dispute &dispute) {
    int member = member_of(comm);
    operation.dispute.record(dispute);
    if (operation.series) {
        operation.series->dispute.record(dispute);
        operation.series->release(); // this member's reference
    }
    if (is_rooted(Announcement::collective(operation.said)) &&
        Announcement::phase(operation.said) != InitForm)
        abstain_from_rooted(operation, member);
    else
        abstain_from_together(operation, member);
}

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

// A small result, or what a root has left, from the operation's room.
void CollectiveRequest::take_result() {
    const Room &room = operation->room;
    switch (call.collective) {
    case Collective::Bcast:
    case Collective::Scatter:
    case Collective::Scatterv:
        take_from_root(*this);
        return;
    case Collective::Allgather:
    case Collective::Allgatherv: {
        const Blocks &receive = call.movement.receive;
        size_t room_bytes = 0;
        if (unpack_allgather(room.bytes, operation->room_bytes, receive, comm->size)) {
            for (int i = 0; i < comm->size; ++i)
                room_bytes += receive[i].size_bytes();
            fault.kind = Fault::Kind::AllTruncated;
            fault.sent_bytes = operation->room_bytes;
            fault.room_bytes = room_bytes;
        }
        return;
    }
    default: {
        const Reduction &reduction = call.reduction;
        if (reduction.mine.size_bytes == 0)
            return;
        bool whole = call.collective != Collective::ReduceScatter &&
                     call.collective != Collective::ReduceScatterBlock;
        Count first = whole ? 0 : reduction.share.first;
        const char *from = combined_result(room, reduction.mine.count, *reduction.mine.type);
        Combiner(reduction.vector())
            .copy(from + first * reduction.mine.type->extent, reduction.mine.receive,
                  whole ? reduction.mine.count : reduction.share.count);
    }
    }
}

} // namespace thrum
