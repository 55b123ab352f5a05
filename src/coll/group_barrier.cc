// The non-blocking barrier between two groups (section 6.12.1): complete at a member when all of
// the other group have come.
#include "coll/joint_operations.h"
#include "coll/round.h"

#include <utility>

namespace thrum {
namespace {

void complete_list(CollectiveRequest *list) {
    TaskList awake;
    while (CollectiveRequest *request = list) {
        list = request->next;
        request->operation = nullptr;
        complete(*request, awake);
    }
    wake(awake);
}

} // namespace

// All have come: whoever waits still does so because of a dispute.
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

} // namespace thrum
