// Data accesses of one rank, from the checked MPI arguments to the status: the position from
// pointer or offset, then one of three ways:
//
//   blocking, independent   access()        moves the data on the rank's thread (access.h)
//   blocking, collective    access_all()    meets the other ranks; aggregates if that is worth it
//   non-blocking, split     start_access*() makes a FileRequest (nonblocking.h)
//
// The pointer is advanced before the data are moved, by what was asked for, so that other threads
// and ranks can go on. A short read sets the individual pointer back afterwards.
#include "io/file_access.h"

#include "datatype/status.h"
#include "io/collective_access.h"
#include "io/file_decision.h"
#include "io/file_record.h"
#include "io/keeper.h"
#include "io/nonblocking.h"
#include "io/spanning_stream.h"
#include "libc/blocking_section.h"
#include "meeting/round.h"
#include "pt2pt/blocked.h"
#include "pt2pt/wait.h"

#include <algorithm>

namespace thrum {
namespace {

// Holds the current view for the duration of a call: another thread may set a new one meanwhile.
class ViewInUse {
public:
    explicit ViewInUse(File &file) : view_(current_view(file)) {}

    ~ViewInUse() { release(view_); }

    ViewInUse(const ViewInUse &) = delete;
    ViewInUse &operator=(const ViewInUse &) = delete;

    View &operator*() const { return view_; }

    View *operator->() const { return &view_; }

private:
    View &view_;
};

// Checks mode, offset and positioning of a call against the way in which the file was opened.
Error check_call(const File &file, const AccessCall &call) {
    const OpenFile &open = *file.open;
    if (call.writing && !open.may_write())
        return fail(MPI_ERR_READ_ONLY, "file \"%s\" was opened with MPI_MODE_RDONLY",
                    open.name().c_str());
    if (!call.writing && !open.may_read())
        return fail(MPI_ERR_ACCESS, "file \"%s\" was opened with MPI_MODE_WRONLY",
                    open.name().c_str());
    if (call.positioning != Positioning::Shared)
        if (Error error = need_positions(file))
            return error;
    if (call.positioning == Positioning::Explicit && call.offset < 0)
        return fail(MPI_ERR_ARG, "offset is %lld; it must not be negative",
                    static_cast<long long>(call.offset));
    return success;
}

// Sets `position` to the stream position of `offset` etypes. Fails if the access would end beyond
// the largest position of a file; the margin leaves room for FileCursor's bias.
Error to_bytes(const View &view, Offset offset, Count size_bytes, Offset &position) {
    Offset end = 0, in_file = 0;
    Offset tiles = 0;
    if (__builtin_mul_overflow(offset, view.etype_bytes, &position) ||
        __builtin_add_overflow(position, size_bytes, &end) ||
        (view.tile_bytes > 0 &&
         __builtin_mul_overflow(end / view.tile_bytes + 1, view.tile->extent, &tiles)) ||
        __builtin_add_overflow(tiles, view.displacement, &in_file) || in_file > INT64_MAX - 8192)
        return fail(MPI_ERR_ARG,
                    "offset is %lld: the access exceeds the largest position of a file",
                    static_cast<long long>(offset));
    return success;
}

// Moves the individual pointer on by `etypes` and returns its old position.
Offset advance_individual(File &file, Offset etypes) {
    LockGuard guard(file.lock);
    Offset offset = file.position;
    file.position += etypes;
    return offset;
}

// Moves the shared pointer on, at most to the end of the file. A read moves it by what there is to
// read, so that no rank's position depends on how much others asked for beyond the end.
Error advance_shared_for_read(File &file, Offset etypes, Offset &offset) MAY_SUSPEND {
    Offset end = 0;
    if (Error error = end_in_etypes(file, end))
        return error;
    return advance_shared_pointer(*file.open, etypes, offset, end);
}

// Sets the individual pointer behind the last etype that was read, after a read that met the end of
// the file. Does nothing if another thread of the rank has moved the pointer since.
void take_back(File &file, Offset offset, Offset etypes, Offset accessed) {
    LockGuard guard(file.lock);
    if (file.position == offset + etypes)
        file.position = offset + accessed;
}

// The size of an access, which is known before its position.
struct Measured {
    Count size_bytes = 0; // in the file
    Offset etypes = 0;    // the same in etypes of the view
};

// Checks a call and computes its size. Counts it for tools, whether or not it moves data.
Error measure_call(const File &file, const View &view, const AccessCall &call,
                   Measured &measured) MAY_SUSPEND {
    if (Error error = check_call(file, call))
        return error;
    if (Error error = measure(view, call.datatype, call.count, measured.size_bytes))
        return error;
    measured.etypes = measured.size_bytes / view.etype_bytes;
    count_access(file, call.writing);
    return success;
}

// Sets `offset` (in etypes) to where the access begins, and moves the pointer on, if it uses one. A
// shared pointer may be in another process.
Error take_position(File &file, const AccessCall &call, Offset etypes, Offset &offset) MAY_SUSPEND {
    if (call.positioning == Positioning::Shared)
        return advance_shared_pointer(*file.open, etypes, offset);
    offset =
        call.positioning == Positioning::Explicit ? call.offset : advance_individual(file, etypes);
    return success;
}

// A blocking access to a file without positions: queued behind earlier ones, then waits.
Error access_stream(File &file, View &view, const AccessCall &call, Count size_bytes,
                    MPI_Status *status) MAY_SUSPEND {
    // The access is a request even if it blocks: an I/O thread does it, after the accesses that are
    // queued already.
    auto *request = new FileRequest(file, view, call.datatype);
    Error error = prepare(request->access, call.writing, view, 0, call.buffer, call.count,
                          call.datatype, size_bytes);
    if (!error) {
        start_alone(*request);
        wait_blocked(request->completion, request->blockage());
        error = request->result(status);
    }
    delete request;
    return error;
}

// Sets the status: bytes of the program's data.
void set_moved(MPI_Status *status, const Moved &moved) {
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, moved.memory_bytes);
}

} // namespace

// A read with the shared pointer moves it only up to the end of the file
// (advance_shared_for_read()).
Error access(File &file, const AccessCall &call, MPI_Status *status) {
    ViewInUse view(file);
    Measured measured;
    if (Error error = measure_call(file, *view, call, measured))
        return error;
    if (file.open->sequential())
        return access_stream(file, *view, call, measured.size_bytes, status);
    Offset offset = 0, position = 0;
    if (call.positioning == Positioning::Shared && !call.writing) {
        if (Error error = advance_shared_for_read(file, measured.etypes, offset))
            return error;
    } else if (Error error = take_position(file, call, measured.etypes, offset)) {
        return error;
    }
    if (Error error = to_bytes(*view, offset, measured.size_bytes, position))
        return error;
    Moved moved;
    Error error = access_alone(*file.open, call.writing, *view, position, call.buffer, call.count,
                               call.datatype, measured.size_bytes, moved);
    if (call.positioning == Positioning::Individual && moved.file_bytes < measured.size_bytes)
        take_back(file, offset, measured.etypes, moved.file_bytes / view->etype_bytes);
    count_moved(file, call.writing, moved);
    set_moved(status, moved);
    return error;
}

namespace {

// What a rank publishes in a blocking collective access. It stays on the rank's stack; the last
// rank to arrive and the aggregators read and write it until the rank's last meeting is complete.
struct CollectivePart {
    bool wrong = false;   // its arguments are wrong: it moves nothing, but takes part
    bool ordered = false; // MPI_File_read_ordered or _write_ordered
    Offset etypes = 0;    // size of the access
    Offset offset = 0;    // in etypes; ordered: set by place_in_order() or its counterpart
    Access access;
    StreamAccess stream; // used if the file has no positions
    Completion stream_done;
    // Results, if the ranks are in several processes.
    bool by_aggregators = false; // the data have been moved
    SharedError fault;
};

// Returns the parts of the members of this process, in rank order.
std::vector<CollectivePart *> parts_of(const Attendance &attendance, int ranks) {
    std::vector<CollectivePart *> parts;
    for (int i = 0; i < ranks; ++i)
        parts.push_back(const_cast<CollectivePart *>(&attendance.argument<CollectivePart>(i)));
    return parts;
}

// Sets the position of an ordered part. A position that cannot be represented makes the part wrong,
// and the rank reports that itself (access_all_now()).
void place_at(CollectivePart &part, Offset offset) {
    part.offset = offset;
    if (part.wrong)
        return;
    Span &span = part.access.span;
    auto size_bytes = static_cast<Count>(span.size_bytes);
    part.wrong = static_cast<bool>(to_bytes(*span.view, part.offset, size_bytes, span.position));
    if (part.wrong)
        span.size_bytes = 0;
}

// Section 14.4.4.2: the position of each rank is where the shared pointer would be after the
// accesses of all lower ranks. Called by the last rank to arrive.
void place_in_order(OpenFile &file, const std::vector<CollectivePart *> &parts) {
    LockGuard guard(file.pointer_lock);
    for (CollectivePart *part : parts) {
        place_at(*part, file.shared_pointer);
        file.shared_pointer += part->etypes;
    }
}

// Queues the ranks' accesses to a stream in rank order, as one list, so that no other access comes
// in between. Each rank waits for its own `stream_done`.
void queue_in_order(OpenFile &file, const std::vector<CollectivePart *> &parts) MAY_SUSPEND {
    StreamAccess *first = nullptr;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        StreamAccess &stream = (*part)->stream;
        if ((*part)->wrong) {
            (*part)->stream_done.complete();
            continue;
        }
        stream.access = &(*part)->access;
        stream.argument = &(*part)->stream_done;
        stream.on_done = [](void *done) {
            static_cast<Completion *>(done)->complete();
        };
        stream.next = first;
        first = &stream;
    }
    if (first)
        start_stream_accesses(file, *first);
}

// Runs on the last rank to arrive, for all of them.
void plan_for_all(OpenFile &file, const std::vector<CollectivePart *> &parts) MAY_SUSPEND {
    if (file.sequential()) {
        file.plan->by_aggregators = false;
        return queue_in_order(file, parts);
    }
    if (parts[0]->ordered)
        place_in_order(file, parts);
    std::vector<Access *> accesses;
    for (CollectivePart *part : parts)
        accesses.push_back(part->wrong ? nullptr : &part->access);
    make_plan(*file.plan, file, accesses);
}

// Returns the number of the aggregator that `rank` is, or -1. Aggregators are spread evenly over
// the ranks, hence over the workers.
int aggregator_number(const CollectivePlan &plan, int rank, int ranks) {
    for (int i = 0; i < plan.aggregators; ++i)
        if (static_cast<int>(static_cast<long>(i) * ranks / plan.aggregators) == rank)
            return i;
    return -1;
}

// Aggregators do their parts; then all ranks meet again, since the aggregators use everybody's
// memory. Everybody gets the merged result.
Error move_aggregated(File &file, Collective collective, CollectivePart &part) MAY_SUSPEND {
    if (!part.wrong)
        count_aggregated(file);
    CollectivePlan &plan = *file.open->plan;
    int number = aggregator_number(plan, file.comm->rank, file.comm->size);
    if (number >= 0) {
        bool writing = part.access.writing;
        TransferResult result = blocking(writing ? "MPI_File_write_all" : "MPI_File_read_all", [&] {
            return move_part(plan, *file.open, writing, number);
        });
        LockGuard guard(plan.result_lock);
        plan.result.merge(result);
    }
    Attendance second(*file.comm, Announcement::make(collective, 1));
    second.pass(Attendance::Until::Complete);
    part.access.result = plan.result;
    return second.verdict();
}

// Does the collective access of the ranks of this process, together with the other processes
// (spanning_access.h).
Flow access_parts(AccessJoint &joint, SpanningAccess &access,
                  const std::vector<CollectivePart *> &parts) MAY_SUSPEND {
    if (access.file.sequential()) {
        std::vector<StreamAccess *> streams;
        for (CollectivePart *part : parts) {
            part->stream.access = &part->access;
            streams.push_back(part->wrong ? nullptr : &part->stream);
        }
        co_await stream_across_processes(joint, access, streams);
        co_return;
    }
    if (parts[0]->ordered) {
        std::vector<OrderedPlace> places;
        for (const CollectivePart *part : parts)
            places.push_back({part->etypes, 0});
        co_await place_across_processes(joint, access, places);
        if (access.fault)
            co_return;
        for (size_t i = 0; i < parts.size(); ++i)
            place_at(*parts[i], places[i].offset);
    }
    for (CollectivePart *part : parts)
        if (!part->wrong && part->access.span.size_bytes > 0)
            access.accesses.push_back(&part->access);
    co_await access_across_processes(joint, access);
}

// Runs on the last rank of this process to arrive: runs the flow to its end on the caller's stack,
// and leaves the result in the parts of all members here.
void access_with_others(File &file, Collective collective, int number, const Attendance &attendance,
                        bool writing) MAY_SUSPEND {
    Communicator &comm = *file.comm;
    const std::vector<CollectivePart *> parts =
        parts_of(attendance, static_cast<int>(comm.context->span->locals.size()));
    SpanningAccess access{*file.open, collective, writing};
    if (attendance.disputed())
        access.fault.take(attendance.verdict());
    {
        AccessJoint joint(comm, number, true);
        run_flow(
            joint.requests.exchange, access_parts(joint, access, parts), [](void *) {}, nullptr);
        if (const SharedError fault = joint.fault())
            access.fault = fault;
    }
    for (CollectivePart *part : parts) {
        part->fault = access.fault;
        part->by_aggregators = access.by_aggregators;
        if (access.by_aggregators)
            part->access.result = access.result;
        part->stream_done.set_done(); // if it was one
    }
}

// Meets the other ranks and moves the data, if aggregators do it. If not, part.by_aggregators is
// false and the caller moves its own.
Error come_and_move(File &file, Collective collective, CollectivePart &part) MAY_SUSPEND {
    OpenFile &open = *file.open;
    Attendance attendance(*file.comm, Announcement::make(collective), &part);
    if (!file.comm->context->span) {
        attendance.pass_with(
            [&]() MAY_SUSPEND { plan_for_all(open, parts_of(attendance, file.comm->size)); });
        if (Error error = attendance.verdict())
            return error;
        part.by_aggregators = open.plan->by_aggregators;
        return part.by_aggregators ? move_aggregated(file, collective, part) : success;
    }
    const int number = next_spanning_number(*file.comm, collective);
    pass_even_if_disputed(attendance, [&]() MAY_SUSPEND {
        access_with_others(file, collective, number, attendance, part.access.writing);
    });
    if (Error error = attendance.verdict())
        return error;
    if (part.by_aggregators && !part.wrong)
        count_aggregated(file);
    return part.fault.raise();
}

// Fails if a split collective operation is active on the file: the standard allows one at a time,
// and no other collective access meanwhile.
Error check_no_split(const File &file) {
    if (file.split.operation == Collective::None)
        return success;
    return fail(MPI_ERR_IO, "%s was called on file \"%s\" and has not been ended",
                collective_name(file.split.operation), file.open->name().c_str());
}

// A blocking collective access. A rank with wrong arguments still meets the others, which would
// otherwise hang, and returns its error afterwards.
Error access_all_now(File &file, Collective collective, const AccessCall &call,
                     Moved &moved) MAY_SUSPEND {
    ViewInUse view(file);
    Measured measured;
    CollectivePart part;
    part.ordered = call.positioning == Positioning::Shared;
    part.access.writing = call.writing;
    Error wrong = measure_call(file, *view, call, measured);
    Offset position = 0;
    if (!wrong && !part.ordered) {
        wrong = take_position(file, call, measured.etypes, part.offset);
        if (!wrong)
            wrong = to_bytes(*view, part.offset, measured.size_bytes, position);
    }
    if (!wrong)
        wrong = prepare(part.access, call.writing, *view, position, call.buffer, call.count,
                        call.datatype, measured.size_bytes);
    part.wrong = static_cast<bool>(wrong);
    part.etypes = wrong ? 0 : measured.etypes;
    SharedError kept; // the meeting may overwrite the sentence
    kept.take(wrong);

    OpenFile &open = *file.open;
    if (Error error = come_and_move(file, collective, part))
        return error;
    if (open.sequential())
        wait_blocked(part.stream_done, {.kind = Blockage::Kind::Requests, .request_count = 1});
    else if (!part.by_aggregators && !part.wrong)
        move_alone(open, part.access);
    if (kept)
        return kept.raise();
    if (part.wrong) // its ordered place
        return to_bytes(*view, part.offset, measured.size_bytes, position);
    Error error = finish(part.access, open, moved);
    count_moved(file, call.writing, moved);
    if (call.positioning == Positioning::Individual && moved.file_bytes < measured.size_bytes)
        take_back(file, part.offset, measured.etypes, moved.file_bytes / view->etype_bytes);
    return error;
}

} // namespace

Error access_all(File &file, Collective collective, const AccessCall &call, MPI_Status *status) {
    if (Error error = check_no_split(file))
        return error;
    Moved moved;
    Error error = access_all_now(file, collective, call, moved);
    set_moved(status, moved);
    return error;
}

namespace {

// Makes a request that is ready to start. Fails, without a request, if the call is wrong.
// `in_turn`: the access is done here, and the request is complete, because the program's conversion
// functions must run on the rank's own thread.
Error new_request(File &file, const AccessCall &call, bool in_turn,
                  FileRequest *&request) MAY_SUSPEND {
    ViewInUse view(file);
    Measured measured;
    if (Error error = measure_call(file, *view, call, measured))
        return error;
    Offset position = 0;
    if (!file.open->sequential()) {
        Offset offset = 0;
        if (Error error = take_position(file, call, measured.etypes, offset))
            return error;
        if (Error error = to_bytes(*view, offset, measured.size_bytes, position))
            return error;
    }
    auto *made = new FileRequest(file, *view, call.datatype);
    Error error;
    if (in_turn)
        error = access_alone(*file.open, call.writing, *view, position, call.buffer, call.count,
                             call.datatype, measured.size_bytes, made->moved);
    else
        error = prepare(made->access, call.writing, *view, position, call.buffer, call.count,
                        call.datatype, measured.size_bytes);
    if (error && !in_turn) {
        delete made;
        return error;
    }
    if (in_turn) {
        if (error)
            made->error.take(error);
        count_moved(file, call.writing, made->moved);
        made->finished = true;
        made->completion.set_done();
    }
    request = made;
    return success;
}

// Returns whether the view's representation is the program's. Files without positions are excluded.
bool must_be_done_here(File &file) {
    ViewInUse view(file);
    return view->representation->kind == Representation::Kind::User && !file.open->sequential();
}

} // namespace

Error start_access(File &file, const AccessCall &call, MPI_Request &request) {
    bool here = must_be_done_here(file);
    FileRequest *made = nullptr;
    if (Error error = new_request(file, call, here, made))
        return error;
    if (!here)
        start_alone(*made);
    request = made;
    return success;
}

// In atomic mode, or where the rank must convert, each rank starts its access alone. All ranks
// decide alike, since these modes are set collectively. A rank whose arguments are wrong still
// joins the others (start_aggregated() with nullptr).
Error start_access_all(File &file, const AccessCall &call, MPI_Request &request) {
    bool here = must_be_done_here(file);
    // acquire [atomic-mode-1]
    bool alone = here || file.open->atomic_mode.load(std::memory_order_acquire);
    FileRequest *made = nullptr;
    Error error = new_request(file, call, here, made);
    if (!alone)
        start_aggregated(file, call.writing, made);
    else if (!error && !here)
        start_alone(*made);
    if (!error)
        request = made;
    return error;
}

// Ordered accesses have no non-blocking form: they are done in the begin call, and the end call
// only reports the result.
Error begin_access(File &file, Collective collective, const AccessCall &call) {
    if (Error error = check_no_split(file))
        return error;
    SplitAccess &split = file.split;
    split = {};
    if (call.positioning == Positioning::Shared) {
        Moved moved;
        Error error = access_all_now(file, collective, call, moved);
        split.moved_bytes = moved.memory_bytes;
        split.error.take(error);
    } else if (Error error = start_access_all(file, call, split.request)) {
        return error;
    }
    split.operation = collective;
    split.buffer = call.buffer;
    return success;
}

// The buffer of the end call must be that of the begin call (section 14.4.5).
Error end_access(File &file, Collective collective, const void *buffer, MPI_Status *status) {
    SplitAccess &split = file.split;
    if (split.operation != collective)
        return split.operation == Collective::None
                   ? fail(MPI_ERR_IO, "no split collective operation is active on file \"%s\"",
                          file.open->name().c_str())
                   : fail(MPI_ERR_IO,
                          "the split collective operation begun on file \"%s\" is %s, which "
                          "another function ends",
                          file.open->name().c_str(), collective_name(split.operation));
    if (split.buffer != buffer)
        return fail(MPI_ERR_BUFFER, "buf is %p, but %s was called with %p", buffer,
                    collective_name(collective), split.buffer);
    split.operation = Collective::None;
    if (split.request != MPI_REQUEST_NULL)
        return wait(split.request, status);
    set_moved(status, {split.moved_bytes, 0});
    return split.error.raise();
}

} // namespace thrum
