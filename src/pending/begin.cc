// How requests join their operations, and what happens to those that do not fit.
#include "pending/begin.h"

#include "check/causality.h"
#include "check/own_windows.h"
#include "comm/blame.h"
#include "comm/errhandler.h"
#include "meeting/call_order.h"
#include "meeting/participation.h"
#include "meeting/round_log.h"
#include "observe/event_log.h"

namespace thrum {
namespace {

// Records the arrival of a member whose call does not fit and that has no request.
void join_in_dispute(CollectiveOperation &operation, Communicator &comm, const Dispute &dispute) {
    int member = member_of(comm);
    operation.dispute.record(dispute);
    if (operation.series) {
        operation.series->dispute.record(dispute);
        operation.series->release(); // this member's reference
    }
    if (Announcement::phase(operation.said) != InitForm)
        operation.forms->abstain(operation, member);
    else if (operation.count_arrival(member))
        operation.let_go();
}

// Compares the order of calls. Returns false, and completes `dispute`, if it is an error.
bool order_is_accepted(const CollectiveOperation &operation, const Communicator &comm,
                       Dispute &dispute) {
    const Error error = compare_order(
        comm, {operation.said, operation.rounds_before, operation.first_call}, dispute.calls[1]);
    if (!error)
        return true;
    dispute.kind = Dispute::Kind::Order;
    dispute.sentence = error_detail(error.code());
    return false;
}

// Does MPI_Start for the ranks of one process.
Error start_in_process(CollectiveRequest &request) MAY_SUSPEND {
    CollectiveRequest::Rare &rare = request.rare();
    Communicator &comm = *request.comm;
    if (const Dispute *dispute = rare.series->dispute.get()) {
        request.fault.dispute = *dispute;
        return blame(comm, disagreement(comm, request.fault.dispute));
    }
    request.completion.reset();
    request.misfit = request.takes = request.alone = false;
    request.fault.kind = Fault::Kind::None;
    CollectiveOperation &operation =
        rare.series->find(rare.starts++, request.announcement, *rare.forms, 0);
    count_begin(request, operation);
    begin(request, operation, rare.forms->begin);
    return success;
}

} // namespace

void record_begin(const CollectiveRequest &request, const CollectiveOperation &operation) {
    record_collective(*request.comm);
    note_told();
    if (observe::logs_events())
        log_round(*request.comm, operation.number, Announcement::root(request.announcement),
                  operation.sequence);
    if (tracks_causality())
        note_begun(
            participation_of(*request.comm, request.announcement, &operation, operation.number),
            &request);
}

bool note_misfit(CollectiveRequest &request, CollectiveOperation &operation) {
    const Dispute dispute{
        .calls = {operation.said, request.announcement}, .size_bytes = {}, .sentence = {}};
    if (Announcement::phase(operation.said) == InitForm) {
        request.fault.kind = Fault::Kind::Dispute;
        request.fault.dispute = dispute;
        join_in_dispute(operation, *request.comm, dispute);
        request.completion.set_done();
        return false;
    }
    request.misfit = true; // gets its error when all have arrived
    operation.dispute.record(dispute);
    return true;
}

// Different operations are reported as such.
void note_order(CollectiveRequest &request, CollectiveOperation &operation) {
    Dispute dispute{
        .calls = {operation.said, request.announcement}, .size_bytes = {}, .sentence = {}};
    if (!Announcement::agree(operation.said, request.announcement) ||
        order_is_accepted(operation, *request.comm, dispute))
        return;
    request.misfit = true; // gets its error when all have arrived
    operation.dispute.record(dispute);
}

// Finds the shared part of the persistent operation, without waiting. The operation of the
// initialisation itself ends when all members have arrived; its series of starts stays.
Error initialize_persistent(std::unique_ptr<CollectiveRequest> made, const CollectiveForms &forms,
                            MPI_Request *request) {
    Communicator &comm = *made->comm;
    made->accept_arguments();
    if (comm.context->span) [[unlikely]] {
        initialize_between_processes(*made);
        made->rare().forms = &forms;
        made->rare().start = start_between_processes;
        *request = made.release();
        return success;
    }
    const uint64_t announcement = announcement_of(comm, made->call, InitForm);
    const NextOperation next = next_operation(comm, announcement, forms);
    CollectiveOperation &operation = next.operation;
    Dispute dispute{.calls = {operation.said, announcement}, .size_bytes = {}, .sentence = {}};
    const bool agree = Announcement::agree(operation.said, announcement);
    if (!agree || (!next.is_in_order && !order_is_accepted(operation, comm, dispute))) {
        join_in_dispute(operation, comm, dispute);
        return disagreement(comm, dispute);
    }
    made->rare().series = operation.series;
    made->rare().forms = &forms;
    made->rare().start = start_in_process;
    if (operation.count_arrival(made->member))
        operation.let_go();
    *request = made.release();
    return success;
}

} // namespace thrum
