// Partitioned communication (MPI 5.0 chapter 4): checks of arguments; the operations are in
// pt2pt/partitioned.h. Errors about a request go to its communicator's error handler (blame()).
#include "pt2pt/partitioned.h"

#include "check/causality.h"
#include "check/own_windows.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "entry/argument.h"
#include "entry/calls.h"
#include "record/outcomes.h"

namespace thrum::mpi {
namespace {

// `count` elements of `datatype` are in each partition.
Error check_partitions(const void *buf, int partitions, Count count, const Datatype &datatype) {
    if (partitions < 1)
        return fail(MPI_ERR_ARG, "partitions is %d, but must be at least 1", partitions);
    // Section 4.2.3: "using absolute displacements in datatypes (e.g., MPI_BOTTOM) is not
    // supported."
    if (buf == MPI_BOTTOM && data_bytes(count, datatype) > 0)
        return fail(MPI_ERR_BUFFER,
                    "buf is MPI_BOTTOM, which partitioned communication cannot use");
    return success;
}

// Finds the partitioned operation of class `Side` behind a handle; otherwise an error says what the
// handle is instead.
template <class Side>
Error find_partitioned(Request *request, const char *wanted, Side *&found) {
    if (!request)
        return fail(MPI_ERR_REQUEST, "request is MPI_REQUEST_NULL, not a partitioned %s", wanted);
    if (!is_live_request(request))
        return fail(MPI_ERR_REQUEST,
                    "request (handle %p) is not a request, or one that has been "
                    "freed",
                    static_cast<void *>(request));
    if (request->kind != RequestKind::Operation ||
        static_cast<OperationRequest *>(request)->type() != &Side::class_name)
        return fail(MPI_ERR_REQUEST, "request (handle %p) is not a partitioned %s",
                    static_cast<void *>(request), wanted);
    found = static_cast<Side *>(static_cast<OperationRequest *>(request));
    return success;
}

// Only a started send has partitions to mark.
Error find_active_send(Request *request, PartitionedSend *&send) {
    if (Error error = find_partitioned(request, "send", send))
        return error;
    if (!send->active)
        return blame(*send->comm, fail(MPI_ERR_REQUEST,
                                       "request is a partitioned send that has not been started"));
    return success;
}

// Marks a partition as ready. After the last partition the request may be gone, so the communicator
// is read before.
Error mark_ready(PartitionedSend &send, int partition) MAY_SUSPEND {
    Communicator &comm = *send.comm;
    Error error = send.ready(partition);
    return error ? blame(comm, error) : success;
}

} // namespace

// Makes an inactive request; hints are ignored.
Error psend_init(const void *buf, int partitions, MPI_Count count, Datatype &datatype, int dest,
                 int tag, Communicator &comm, Info *, MPI_Request *request) {
    if (Error error = check_partitions(buf, partitions, count, datatype))
        return error;
    lose_causality();
    lose_own_accesses();
    *request = new PartitionedSend(buf, partitions, count, datatype, dest, tag, comm);
    return success;
}

// Wildcards are not allowed.
Error precv_init(void *buf, int partitions, MPI_Count count, Datatype &datatype, int source,
                 int tag, Communicator &comm, Info *, MPI_Request *request) {
    if (Error error = check_partitions(buf, partitions, count, datatype))
        return error;
    if (source == MPI_ANY_SOURCE)
        return fail(MPI_ERR_RANK,
                    "source is MPI_ANY_SOURCE, which is not allowed in a partitioned receive");
    if (tag == MPI_ANY_TAG)
        return fail(MPI_ERR_TAG,
                    "tag is MPI_ANY_TAG, which is not allowed in a partitioned receive");
    *request = new PartitionedReceive(buf, partitions, count, datatype, source, tag, comm);
    return success;
}

Error pready(int partition, Request *request) {
    PartitionedSend *send = nullptr;
    if (Error error = find_active_send(request, send))
        return error;
    return mark_ready(*send, partition);
}

// Checks the whole range first: after an error, no partition is marked.
Error pready_range(int partition_low, int partition_high, Request *request) {
    PartitionedSend *send = nullptr;
    if (Error error = find_active_send(request, send))
        return error;
    if (partition_low > partition_high)
        return blame(*send->comm, fail(MPI_ERR_ARG, "partition_low is %d, but partition_high is %d",
                                       partition_low, partition_high));
    if (partition_low < 0 || partition_high >= send->partitions())
        return blame(*send->comm,
                     fail(MPI_ERR_ARG, "%s is %d, but the request has %d partitions",
                          partition_low < 0 ? "partition_low" : "partition_high",
                          partition_low < 0 ? partition_low : partition_high, send->partitions()));
    for (int partition = partition_low; partition <= partition_high; ++partition)
        if (Error error = mark_ready(*send, partition))
            return error;
    return success;
}

// Checks the whole list first: after an error, no partition is marked.
Error pready_list(int length, const int array_of_partitions[], Request *request) {
    PartitionedSend *send = nullptr;
    if (Error error = find_active_send(request, send))
        return error;
    if (length < 0)
        return blame(*send->comm,
                     fail(MPI_ERR_ARG, "length is %d, but must not be negative", length));
    if (length > 0 && !array_of_partitions)
        return blame(*send->comm, arg::null_pointer("array_of_partitions"));
    for (int i = 0; i < length; ++i)
        if (array_of_partitions[i] < 0 || array_of_partitions[i] >= send->partitions())
            return blame(*send->comm,
                         fail(MPI_ERR_ARG,
                              "array_of_partitions[%d] is %d, but the request has %d partitions", i,
                              array_of_partitions[i], send->partitions()));
    for (int i = 0; i < length; ++i)
        if (Error error = mark_ready(*send, array_of_partitions[i]))
            return error;
    return success;
}

namespace {

// Returns whether a partition of an active receive is found to have arrived. In a replay that is so
// if it was so in the recorded run, and the call waits for it.
bool arrives(PartitionedReceive &receive, int partition) MAY_SUSPEND {
    Outcome outcome;
    if (replays_outcomes()) [[unlikely]]
        outcome = replay_outcome(OutcomeKind::Complete, true);
    if (outcome.kind == OutcomeKind::Missed)
        return false;
    bool arrived = receive.arrived(partition);
    while (!arrived && outcome.kind == OutcomeKind::Complete && !receive.completion.done()) {
        yield();
        arrived = receive.arrived(partition);
    }
    if (outcome.kind == OutcomeKind::None && records_outcomes()) [[unlikely]]
        record_find(OutcomeKind::Complete, arrived, 0);
    return arrived;
}

} // namespace

// A request that failed has no partition that will arrive: its error is returned then, so that a
// loop ends.
Error parrived(Request *request, int partition, int *flag) {
    *flag = 1; // section 4.2.2: also for a null or inactive request
    if (!request)
        return success;
    PartitionedReceive *receive = nullptr;
    if (Error error = find_partitioned(request, "receive", receive))
        return error;
    if (partition < 0 || partition >= receive->partitions())
        return blame(*receive->comm,
                     fail(MPI_ERR_ARG, "partition is %d, but the request has %d partition%s",
                          partition, receive->partitions(), receive->partitions() == 1 ? "" : "s"));
    *flag = !receive->active || arrives(*receive, partition);
    if (!*flag && receive->completion.done())
        return blame(*receive->comm, receive->result(MPI_STATUS_IGNORE));
    if (!*flag)
        yield(); // a rank that asks in a loop lets the others run
    return success;
}

} // namespace thrum::mpi
