#include "io/nonblocking.h"

#include "io/collective_access.h"
#include "io/record.h"
#include "pt2pt/wait.h"

namespace thrum {

// The n-th non-blocking collective access of all ranks of a file (section 14.6.5: all call them in
// the same order).
struct CollectiveBatch final : IoJob {
    void run() override;

    OpenFile *file = nullptr;
    uint32_t number = 0;
    int missing = 0; // ranks that have not come yet
    bool writing = false;
    bool mixed = false; // some read, others write
    std::vector<FileRequest *> requests;
    CollectiveBatch *next_batch = nullptr;

private:
    void move_all();
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

Error FileRequest::result(MPI_Status *status) {
    finish_access();
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, moved.memory_bytes);
    return blame(culprit_of(file), error.raise());
}

void FileRequest::run() {
    access.result = move_span(*file.open, access.writing, access.span);
    complete();
}

void FileRequest::finish_access() {
    if (finished)
        return;
    finished = true;
    if (Error failed = finish(access, *file.open, moved))
        error.take(failed);
    count_moved(file, access.writing, moved);
}

void FileRequest::complete() {
    bool calls_program = access.converted && !access.writing &&
                         access.representation->kind == Representation::Kind::User;
    if (!calls_program)
        finish_access();
    if (claimed)
        file.open->ranges.release(claim);
    completion.complete();
}

void start_alone(FileRequest &request) {
    OpenFile &open = *request.file.open;
    if (open.sequential()) {
        request.stream.access = &request.access;
        request.stream.argument = &request;
        request.stream.on_done = [](void *argument) {
            static_cast<FileRequest *>(argument)->complete();
        };
        queue_stream_accesses(open, request.stream);
        return;
    }
    if (request.access.span.size_bytes == 0) {
        request.finished = true;
        request.completion.set_done();
        return;
    }
    if (!open.atomic_mode.load(std::memory_order_acquire))
        return submit(request);
    request.claimed = true;
    set_range(request.claim, request.access.writing, request.access.span);
    request.claim.argument = &request;
    request.claim.on_grant = [](void *argument) {
        submit(*static_cast<FileRequest *>(argument));
    };
    open.ranges.ask(request.claim);
}

void start_together(File &file, bool writing, FileRequest *request) {
    OpenFile &open = *file.open;
    CollectiveBatch *complete = nullptr;
    uint32_t number = file.batches_begun++;
    {
        LockGuard guard(open.batches_lock);
        CollectiveBatch **link = &open.batches;
        while (*link && (*link)->number != number)
            link = &(*link)->next_batch;
        if (!*link) {
            *link = new CollectiveBatch;
            (*link)->file = &open;
            (*link)->number = number;
            (*link)->missing = open.ranks;
            (*link)->writing = writing;
            retain(open); // until it has run: requests may be freed before
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
    if (complete)
        submit(*complete);
}

void CollectiveBatch::move_all() {
    std::vector<Access *> accesses;
    for (FileRequest *request : requests)
        accesses.push_back(&request->access);
    CollectivePlan plan;
    make_plan(plan, *file, accesses);
    if (!plan.together) {
        for (Access *access : accesses)
            access->result = move_span(*file, writing, access->span);
        return;
    }
    for (FileRequest *request : requests)
        count_buffered_together(request->file);
    plan.aggregators = 1; // this thread
    TransferResult result = move_part(plan, *file, writing, 0);
    for (Access *access : accesses)
        access->result = result;
}

void CollectiveBatch::run() {
    if (!mixed)
        move_all();
    for (FileRequest *request : requests) {
        if (mixed) {
            Error error = fail(MPI_ERR_NOT_SAME, "some ranks read and others write in the same "
                                                 "non-blocking collective operation");
            request->error.take(error);
            request->finished = true;
            request->completion.complete();
        } else {
            request->complete();
        }
    }
    release(*file);
    delete this;
}

} // namespace thrum
