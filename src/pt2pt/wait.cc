// Waiting for requests and testing them (MPI 5.0 sections 3.7.3 to 3.7.6). A wait for several
// requests joins all their completions into one WaitGroup, so the task is woken once. Tests let
// other ranks run, or do some of the work that they wait for.
#include "pt2pt/wait.h"

#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "datatype/status.h"
#include "pt2pt/blocked.h"
#include "pt2pt/free_choice.h"
#include "pt2pt/request_places.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/request_result.h"

#include <algorithm>
#include <cstdio>

namespace thrum {
namespace {

bool is_done(MPI_Request request) {
    return !is_active(request) || request->completion.done();
}

// Returns the result of a complete and active request, and frees it or makes it inactive.
Error finish_active(MPI_Request &handle, MPI_Status *status) MAY_SUSPEND {
    Request &request = *handle;
    Error error = result_of(request, status);
    if (error) [[unlikely]] {
        add_starting_call(request);
        if (request.comm)
            error = blame(*request.comm, error);
    }
    if (request.persistent) {
        request.active = false;
        return error;
    }
    handle = MPI_REQUEST_NULL;
    // Section 13.2: if several functions of a generalized request fail, the last one's error
    // counts.
    Error freed = free_request(request);
    return freed ? freed : error;
}

// Does the same for any handle.
Error finish(MPI_Request &handle, MPI_Status *status) MAY_SUSPEND {
    if (is_active(handle))
        return finish_active(handle, status);
    set_empty_status(status);
    return success;
}

// Finishes requests into an array of statuses. Their MPI_ERROR fields are written only if one of
// the operations has failed (section 3.7.5).
class Statuses {
public:
    explicit Statuses(MPI_Status *statuses) : statuses_(statuses) {}

    // Exactly one of the two is called for each i = 0, 1, 2, ...; peek() leaves the request as it
    // is.
    void finish(int i, MPI_Request &request) MAY_SUSPEND { note(i, thrum::finish(request, at(i))); }

    void peek(int i, MPI_Request request) MAY_SUSPEND {
        if (is_active(request))
            note(i, result_of(*request, at(i)));
        else
            set_empty_status(at(i));
    }

    // Returns success, or MPI_ERR_IN_STATUS with the sentence of the first failure.
    Error result() {
        if (!failed_)
            return success;
        Error error =
            blame_in_status(blame_.culprit, fail(MPI_ERR_IN_STATUS, "%s", sentence_), blame_.code);
        for (int i = 0; i < others_.count; ++i)
            add_other_call(others_.calls[i].who, others_.calls[i].call_site);
        forget(blame_);
        return error;
    }

private:
    MPI_Status *at(int i) const { return statuses_ ? &statuses_[i] : MPI_STATUS_IGNORE; }

    void note(int i, Error error) {
        if (error && !failed_) {
            failed_ = true;
            blame_ = take_blame(error);
            std::snprintf(sentence_, sizeof sentence_, "number %d: %s", i,
                          error_detail(error.code()));
            others_ = other_calls();
            for (int earlier = 0; statuses_ && earlier < i; ++earlier)
                statuses_[earlier].MPI_ERROR = MPI_SUCCESS;
        }
        if (failed_ && statuses_)
            statuses_[i].MPI_ERROR = error.code();
    }

    MPI_Status *statuses_;
    bool failed_ = false;
    // The first failure: its sentence, its calls, its object and code.
    char sentence_[MPI_MAX_ERROR_STRING];
    OtherCalls others_;
    Blame blame_;
};

// Returns what a wait for this request shows in reports.
Blockage blockage_of(const Request &request) {
    Blockage blockage{
        .kind = Blockage::Kind::Requests, .request_count = 1, .communicator = request.comm};
    if (request.kind == RequestKind::Receive) {
        const Envelope &envelope = static_cast<const ReceiveRequest &>(request).envelope;
        blockage.kind = Blockage::Kind::Receive;
        blockage.peer = envelope.source;
        blockage.tag = envelope.tag;
    } else if (request.kind == RequestKind::Send) {
        blockage.kind = Blockage::Kind::Send;
        blockage.peer = request.source; // dest
        blockage.tag = request.tag;
        blockage.size_bytes = static_cast<int64_t>(request.size_bytes);
    }
    return blockage;
}

[[gnu::noinline]] void wait_for_message(Request &request) MAY_SUSPEND {
    wait_blocked(request.completion, blockage_of(request));
}

// How many of the pending requests must complete before the wait ends.
enum class Wanted { One, All };

// Waits for a group. The completion of each request counts in `group`; a request that is complete
// already is counted here.
void wait_group(int count, MPI_Request *requests, int pending, Wanted wanted) MAY_SUSPEND {
    Completion reached;
    WaitGroup group(reached, wanted == Wanted::One ? 1 : pending);
    int joined = 0;
    int end = 0;
    for (; end < count; ++end) {
        if (!is_active(requests[end]))
            continue;
        if (requests[end]->completion.join(group))
            ++joined;
        else if (wanted == Wanted::One)
            break;
    }
    Blockage blockage{.kind = Blockage::Kind::Requests,
                      .any = wanted == Wanted::One,
                      .request_count = pending,
                      .requests_length = count,
                      .requests = requests};
    if (wanted == Wanted::All) {
        group.arrive(pending - joined); // those that completed between counting and joining
        wait_blocked(reached, blockage);
        return;
    }
    if (end == count)
        wait_blocked(reached, blockage);
    // The group is on our stack. A completer that has found it there must be done with it before
    // this function returns.
    int arriving = 0;
    for (int i = 0; i < end; ++i)
        if (is_active(requests[i]) && !requests[i]->completion.leave(group))
            ++arriving;
    if (arriving > 0)
        reached.wait();
    for (int spins = 0; group.missing() != 1 - arriving; ++spins)
        spins < 1000 ? cpu_pause() : yield();
}

int count_pending(int count, const MPI_Request *requests) {
    int pending = 0;
    for (int i = 0; i < count; ++i)
        pending += !is_done(requests[i]);
    return pending;
}

// Waits for the operations among the requests that want help with their work. Returns true if there
// were any.
bool help_operations(int count, MPI_Request *requests, int pending) MAY_SUSPEND {
    bool any = false;
    for (int i = 0; i < count; ++i) {
        if (is_done(requests[i]) || requests[i]->kind != RequestKind::Operation)
            continue;
        auto &operation = static_cast<OperationRequest &>(*requests[i]);
        if (!operation.helps())
            continue;
        const Blockage of_several{.kind = Blockage::Kind::Requests,
                                  .request_count = pending,
                                  .requests_length = count,
                                  .requests = requests};
        operation.wait(&of_several);
        any = true;
    }
    return any;
}

// Does some of the work of the operations that ask for help. Returns true if there was any.
bool help_with(int count, const MPI_Request *requests) MAY_SUSPEND {
    bool any = false;
    for (int i = 0; i < count; ++i)
        if (!is_done(requests[i]) && requests[i]->kind == RequestKind::Operation)
            any |= static_cast<OperationRequest &>(*requests[i]).help();
    return any;
}

// Lets others run, or does some of the work, since the program may test in a loop.
void yield_or_help(int count, const MPI_Request *requests) MAY_SUSPEND {
    if (!help_with(count, requests))
        yield();
}

// Returns the index of the first active request that is complete (with a seed, of a chosen one), or
// -1. Sets `any_active`.
int find_done(int count, const MPI_Request *requests, bool &any_active) {
    if (has_seed()) [[unlikely]] {
        any_active = std::any_of(requests, requests + count, is_active);
        return choose_complete(count, requests);
    }
    any_active = false;
    for (int i = 0; i < count; ++i) {
        if (!is_active(requests[i]))
            continue;
        any_active = true;
        if (requests[i]->completion.done())
            return i;
    }
    return -1;
}

// Returns true if one of the requests is complete: `index` is its number. Otherwise sets all
// results of a call that does not wait, and lets others run.
bool find_any(int count, const MPI_Request *requests, int &index, bool &done,
              MPI_Status *status) MAY_SUSPEND {
    bool any_active;
    index = find_done(count, requests, any_active);
    if (index >= 0 && completes_later(count, requests))
        index = -1;
    done = index >= 0 || !any_active;
    if (index >= 0) {
        count_progress();
        return true;
    }
    index = MPI_UNDEFINED;
    if (done)
        set_empty_status(status);
    else
        yield_or_help(count, requests);
    return false;
}

// Does the same for the calls that finish all complete requests.
bool find_some(int count, const MPI_Request *requests, int &completed) MAY_SUSPEND {
    bool any_active;
    if (find_done(count, requests, any_active) >= 0 && !completes_later(count, requests)) {
        count_progress();
        return true;
    }
    completed = any_active ? 0 : MPI_UNDEFINED;
    if (any_active)
        yield_or_help(count, requests);
    return false;
}

// Finishes all requests that are complete (with a seed, at least one of them). Returns their
// number; their indices are in `indices`.
int finish_some(int count, MPI_Request *requests, int *indices, Statuses &statuses) MAY_SUSPEND {
    const int first = has_seed() ? choose_complete(count, requests) : -1;
    int completed = 0;
    for (int i = 0; i < count; ++i) {
        if (is_active(requests[i]) && requests[i]->completion.done()) {
            if (first >= 0 && i != first && completes_after_others(*requests[i]))
                continue;
            indices[completed] = i;
            statuses.finish(completed++, requests[i]);
        }
    }
    return completed;
}

} // namespace

Error wait(MPI_Request &request, MPI_Status *status) {
    if (!is_active(request)) {
        set_empty_status(status);
        return success;
    }
    if (!request->completion.done()) {
        if (request->kind == RequestKind::Operation)
            static_cast<OperationRequest &>(*request).wait(nullptr);
        else
            wait_for_message(*request);
    }
    return finish_active(request, status);
}

Error test(MPI_Request &request, bool &done, MPI_Status *status) {
    done = is_done(request) && !completes_later(1, &request);
    if (done) {
        count_progress();
        return finish(request, status);
    }
    yield_or_help(1, &request);
    return success;
}

Error peek(MPI_Request request, bool &done, MPI_Status *status) {
    done = is_done(request) && !completes_later(1, &request);
    if (!done) {
        yield_or_help(1, &request);
        return success;
    }
    note_seen_request();
    if (is_active(request))
        return result_of(*request, status);
    set_empty_status(status);
    return success;
}

Error peek_all(int count, const MPI_Request *requests, bool &done, MPI_Status *statuses) {
    done = count_pending(count, requests) == 0 && !completes_later(count, requests);
    if (!done) {
        yield_or_help(count, requests);
        return success;
    }
    note_seen_request();
    Statuses peeked(statuses);
    for (int i = 0; i < count; ++i)
        peeked.peek(i, requests[i]);
    return peeked.result();
}

Error peek_any(int count, const MPI_Request *requests, int &index, bool &done, MPI_Status *status) {
    if (!find_any(count, requests, index, done, status))
        return success;
    note_seen_request();
    return result_of(*requests[index], status);
}

Error peek_some(int count, const MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) {
    if (!find_some(count, requests, completed))
        return success;
    note_seen_request();
    Statuses peeked(statuses);
    completed = 0;
    for (int i = 0; i < count; ++i) {
        if (is_active(requests[i]) && requests[i]->completion.done()) {
            indices[completed] = i;
            peeked.peek(completed++, requests[i]);
        }
    }
    return peeked.result();
}

Error wait_all(int count, MPI_Request *requests, MPI_Status *statuses) {
    int pending = count_pending(count, requests);
    if (pending > 0 && help_operations(count, requests, pending))
        pending = count_pending(count, requests);
    if (pending > 0)
        wait_group(count, requests, pending, Wanted::All);
    Statuses finished(statuses);
    for (int i = 0; i < count; ++i)
        finished.finish(i, requests[i]);
    return finished.result();
}

Error test_all(int count, MPI_Request *requests, bool &done, MPI_Status *statuses) {
    done = count_pending(count, requests) == 0 && !completes_later(count, requests);
    if (done) {
        count_progress();
        return wait_all(count, requests, statuses);
    }
    yield_or_help(count, requests);
    return success;
}

void wait_for_one(int count, MPI_Request *requests) {
    bool any_active;
    while (find_done(count, requests, any_active) < 0)
        wait_group(count, requests, count, Wanted::One);
}

Error wait_any(int count, MPI_Request *requests, int &index, MPI_Status *status) {
    for (;;) {
        bool any_active;
        index = find_done(count, requests, any_active);
        if (index >= 0)
            return finish(requests[index], status);
        if (!any_active)
            break;
        if (!help_with(count, requests))
            wait_group(count, requests, count_pending(count, requests), Wanted::One);
    }
    index = MPI_UNDEFINED;
    set_empty_status(status);
    return success;
}

Error test_any(int count, MPI_Request *requests, int &index, bool &done, MPI_Status *status) {
    return find_any(count, requests, index, done, status) ? finish(requests[index], status)
                                                          : success;
}

Error wait_some(int count, MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) {
    bool any_active;
    while (find_done(count, requests, any_active) < 0) {
        if (!any_active) {
            completed = MPI_UNDEFINED;
            return success;
        }
        if (!help_with(count, requests))
            wait_group(count, requests, count_pending(count, requests), Wanted::One);
    }
    Statuses finished(statuses);
    completed = finish_some(count, requests, indices, finished);
    return finished.result();
}

Error test_some(int count, MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) {
    if (!find_some(count, requests, completed))
        return success;
    Statuses finished(statuses);
    completed = finish_some(count, requests, indices, finished);
    return finished.result();
}

} // namespace thrum
