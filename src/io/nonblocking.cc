// Non-blocking accesses. An access of one rank: prepared on the rank, moved on an I/O thread, and
// finished where that is allowed. In atomic mode the range is asked for first, and its grant
// submits the job. A file without positions queues the access in its stream instead.
//
// A collective access: the n-th calls of all ranks of a process gather in a CollectiveBatch, and
// the last rank to call submits it as one job. If the ranks are in several processes, the batch
// runs a coroutine (spanning_access.h), whose steps that block run on I/O threads.
#include "io/nonblocking.h"

#include "datatype/status.h"
#include "io/collective_access.h"
#include "io/file_record.h"
#include "io/keeper.h"
#include "io/progress_thread.h"
#include "io/spanning_access.h"
#include "io/spanning_stream.h"

#include <optional>

namespace thrum {

// The n-th non-blocking collective access of all ranks of a file in this process (section 14.6.5:
// all ranks call them in the same order). In OpenFile::batches until the last rank has called; then
// it belongs to the I/O thread that runs it, which deletes it.
struct CollectiveBatch final : IoJob {
    void run() override MAY_SUSPEND;

    OpenFile *file = nullptr; // with a reference
    uint32_t number = 0;
    int missing = 0; // ranks of this process that have not called yet
    bool writing = false;
    bool mixed = false;                  // some read, others write
    std::vector<FileRequest *> requests; // of ranks whose arguments were right
    CollectiveBatch *next_batch = nullptr;

    // Starts the exchange with the other processes, once all ranks here have called. `of_last` is
    // the handle of the last one.
    void start_across_processes(File &of_last) MAY_SUSPEND;

private:
    // One process: as aggregators or each alone, on this thread.
    void move_all() MAY_SUSPEND;
    void move_each_alone() MAY_SUSPEND;

    std::optional<SpanningAccess> spanning; // these two: ranks in several processes only
    std::optional<AccessJoint> joint;
    File *of_last_rank = nullptr; // with a reference: its communicator carries the packets
};

FileRequest::FileRequest(File &of_file, View &of_view, Datatype &of_datatype)
    : file(of_file), view(of_view), datatype_kept(of_datatype) {
    retain(file);
    retain(view);
    retain(datatype_kept);
}

FileRequest::~FileRequest() {
    release(datatype_kept);
    release(view);
    release(file);
}

// Runs on the rank's thread, where errors can be raised and the program's functions called.
Error FileRequest::result(MPI_Status *status) {
    finish_access();
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, moved.memory_bytes);
    return blame(culprit_of(file), error.raise());
}

void FileRequest::run() {
    access.result = move_span(*file.open, access.writing, access.span);
    complete();
}

// Idempotent: complete() calls it on an I/O thread if that is allowed, and result() on the rank.
void FileRequest::finish_access() {
    if (finished)
        return;
    finished = true;
    if (Error failed = finish(access, *file.open, moved))
        error.take(failed);
    count_moved(file, access.writing, moved);
}

// Some things only the rank itself may do: call the program's conversion functions, and raise the
// error about a lost keeper. It does them in result().
void FileRequest::complete() {
    bool calls_program = access.converted && !access.writing &&
                         access.representation->kind == Representation::Kind::User;
    if (!calls_program && access.result.error_number != keeper_is_lost)
        finish_access();
    if (claimed)
        release_range(*file.open, claim);
    completion.complete();
}

// Returns whether the request may depend on another process: streams and locks are kept by one of
// those that have opened the file.
static bool asks_others(const FileRequest &request) {
    return request.file.comm->context->span;
}

// While an answer of another process is outstanding, the progress thread receives messages, since
// all ranks may be computing (progress_thread.h).
void start_alone(FileRequest &request) {
    OpenFile &open = *request.file.open;
    if (open.sequential()) {
        if (asks_others(request))
            begin_unattended_access();
        request.stream.access = &request.access;
        request.stream.argument = &request;
        request.stream.on_done = [](void *argument) MAY_SUSPEND {
            auto &done = *static_cast<FileRequest *>(argument);
            if (asks_others(done))
                end_unattended_access();
            done.complete();
        };
        start_stream_accesses(open, request.stream);
        return;
    }
    if (request.access.span.size_bytes == 0) {
        request.finished = true;
        request.completion.set_done();
        return;
    }
    if (!open.atomic_mode.load(std::memory_order_acquire)) // [atomic-mode-1]
        return submit(request);
    request.claimed = true;
    set_range(request.claim, request.access.writing, request.access.span);
    request.claim.argument = &request;
    request.claim.on_grant = [](void *argument) MAY_SUSPEND {
        auto &granted = *static_cast<FileRequest *>(argument);
        if (asks_others(granted))
            end_unattended_access();
        if (granted.claim.keeper_is_lost) {
            granted.access.result.error_number = keeper_is_lost;
            return granted.complete();
        }
        submit(granted);
    };
    if (asks_others(request))
        begin_unattended_access();
    ask_range(open, request.claim);
}

// Ranks may run ahead of each other, so several batches may be open; each is found by its number.
// The batch leaves the list under the lock, and is started without it.
void start_aggregated(File &file, bool writing, FileRequest *request) {
    OpenFile &open = *file.open;
    CollectiveBatch *complete = nullptr;
    const bool spans = file.comm->context->span;
    const Collective collective = writing ? Collective::FileWriteAll : Collective::FileReadAll;
    const auto number = spans ? static_cast<uint32_t>(next_spanning_number(*file.comm, collective))
                              : file.batches_begun++;
    {
        LockGuard guard(open.batches_lock);
        CollectiveBatch **link = &open.batches;
        while (*link && (*link)->number != number)
            link = &(*link)->next_batch;
        if (!*link) {
            *link = new CollectiveBatch;
            (*link)->file = &open;
            (*link)->number = number;
            (*link)->missing = open.local_ranks;
            (*link)->writing = writing;
            retain(open); // requests may be freed before the batch has run
        }
        CollectiveBatch &batch = **link;
        batch.mixed = batch.mixed || batch.writing != writing;
        if (request)
            batch.requests.push_back(request);
        if (--batch.missing == 0) {
            complete = &batch;
            *link = batch.next_batch;
        }
    }
    if (complete && spans)
        complete->start_across_processes(file);
    else if (complete)
        submit(*complete);
}

// One thread does all chunks: further I/O threads serve other jobs.
void CollectiveBatch::move_all() {
    std::vector<Access *> accesses;
    for (FileRequest *request : requests)
        accesses.push_back(&request->access);
    CollectivePlan plan;
    make_plan(plan, *file, accesses);
    if (!plan.by_aggregators)
        return move_each_alone();
    for (FileRequest *request : requests)
        count_aggregated(request->file);
    plan.aggregators = 1; // this thread
    TransferResult result = move_part(plan, *file, writing, 0);
    for (Access *access : accesses)
        access->result = result;
}

void CollectiveBatch::move_each_alone() {
    for (FileRequest *request : requests)
        request->access.result = move_span(*file, writing, request->access.span);
}

// Keeps a reference to the handle whose communicator carries the packets. The flow ends on a fabric
// thread or an I/O thread; either way the rest (run()) is submitted as a job.
void CollectiveBatch::start_across_processes(File &of_last) {
    retain(of_last);
    of_last_rank = &of_last;
    spanning.emplace(*file, Collective::None, writing);
    if (mixed)
        spanning->fault.take(fail(MPI_ERR_NOT_SAME, "%s", mixed_sentence));
    for (FileRequest *request : requests)
        if (request->access.span.size_bytes > 0)
            spanning->accesses.push_back(&request->access);
    joint.emplace(*of_last.comm, static_cast<int>(number), false);
    begin_unattended_access();
    run_flow(
        joint->requests.exchange, access_across_processes(*joint, *spanning),
        [](void *batch) {
            end_unattended_access();
            submit(*static_cast<CollectiveBatch *>(batch));
        },
        this);
}

// Runs on an I/O thread; with ranks in several processes, after the flow has ended. After an error
// that concerns all, nothing has been moved, and each request reports the error.
void CollectiveBatch::run() {
    SharedError fault;
    if (spanning) {
        fault = joint->fault() ? joint->fault() : spanning->fault;
        for (FileRequest *request : requests)
            request->access.result = spanning->result;
        if (spanning->by_aggregators)
            for (FileRequest *request : requests)
                count_aggregated(request->file);
        else if (!fault)
            move_each_alone();
    } else if (mixed) {
        fault.take(fail(MPI_ERR_NOT_SAME, "%s", mixed_sentence));
    } else {
        move_all();
    }
    for (FileRequest *request : requests) {
        if (fault) {
            request->error = fault;
            request->finished = true;
            request->completion.complete();
        } else {
            request->complete();
        }
    }
    joint.reset();
    if (of_last_rank)
        release(*of_last_rank);
    release(*file);
    delete this;
}

} // namespace thrum
