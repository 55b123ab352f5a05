// Waiting for requests and testing them (MPI 5.0 sections 3.7.3 to 3.7.6). A wait for several
// requests joins all their completions into one WaitGroup, so the task is woken once. Tests let
// other ranks run, or do some of the work that they wait for.
#include "pt2pt/wait.h"

#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "datatype/status.h"
#include "pt2pt/blocked.h"
#include "pt2pt/buffer_checks.h"
#include "pt2pt/free_choice.h"
#include "pt2pt/rank_tray.h"
#include "pt2pt/request_places.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/request_result.h"
#include "rank/vain_polls.h"
#include "record/outcomes.h"

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
    end_watch(request);
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

// Returns the result of a complete and active request, which stays as it is. The program gets to
// know that it may use the buffers again.
Error peek_active(Request &request, MPI_Status *status) MAY_SUSPEND {
    end_watch(request);
    return result_of(request, status);
}

// Does what finish_active() does for any handle.
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
            note(i, peek_active(*request, at(i)));
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
    Blockage blockage{.kind = Blockage::Kind::Requests,
                      .request_count = 1,
                      .communicator = request.comm,
                      .request = &request};
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

// Counts a test that has found too few complete requests, which `wanted` says. Lets others run, or
// does some of the work, since the program may test in a loop.
void yield_or_help(int count, const MPI_Request *requests, Wanted wanted) MAY_SUSPEND {
    count_vain_poll([&] {
        return Blockage{.kind = Blockage::Kind::Requests,
                        .any = wanted == Wanted::One,
                        .requests_length = count,
                        .requests = requests};
    });
    if (!help_with(count, requests))
        yield();
}

// Returns the index of the first active request that is complete (with a seed, of a chosen one), or
// -1. Sets `any_active`.
int find_done(int count, const MPI_Request *requests, bool &any_active) {
    look_into_tray();
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

bool any_is_active(int count, const MPI_Request *requests) {
    return std::any_of(requests, requests + count, is_active);
}

// Waits until an active request is complete, and leaves it as it is.
void wait_for_active(Request &request) MAY_SUSPEND {
    if (request.completion.done())
        return;
    if (request.kind == RequestKind::Operation)
        static_cast<OperationRequest &>(request).wait(nullptr);
    else
        wait_for_message(request);
}

// Waits for request `index` of an array, which the recorded run has found complete.
void wait_as_recorded(int count, const MPI_Request *requests, uint32_t index) MAY_SUSPEND {
    if (index >= static_cast<uint32_t>(count))
        depart_from_record("request %u, but the program passes %d", index, count);
    else if (is_active(requests[index]))
        wait_for_active(*requests[index]);
}

// Replays MPI_Waitany, or with `may_miss` MPI_Testany. Returns false if the record does not say
// what it returned; otherwise sets the index, or -1.
[[gnu::cold]] bool replay_any(int count, const MPI_Request *requests, bool may_miss,
                              int &index) MAY_SUSPEND {
    const Outcome outcome = replay_outcome(OutcomeKind::One, may_miss);
    index = -1;
    if (outcome.kind == OutcomeKind::One) {
        index = static_cast<int>(outcome.value);
        wait_as_recorded(count, requests, outcome.value);
    }
    return outcome.kind != OutcomeKind::None;
}

// Replays MPI_Waitsome, or with `may_miss` MPI_Testsome. Returns false if the record does not say
// what it returned; otherwise sets the indices and their number.
[[gnu::cold]] bool replay_some(int count, const MPI_Request *requests, bool may_miss, int *indices,
                               int &completed) MAY_SUSPEND {
    const Outcome outcome = replay_outcome(OutcomeKind::Some, may_miss);
    completed = outcome.kind == OutcomeKind::Some ? static_cast<int>(outcome.value) : 0;
    if (completed > count)
        depart_from_record("%u requests, but the program passes %d", outcome.value, count);
    for (int i = 0; i < completed; ++i) {
        const Outcome index = replay_outcome(OutcomeKind::Index);
        if (index.kind == OutcomeKind::None) // the record was cut off here
            completed = i;
        else
            wait_as_recorded(count, requests, index.value);
        indices[i] = static_cast<int>(index.value);
    }
    return completed > 0 || outcome.kind == OutcomeKind::Missed;
}

[[gnu::cold]] void record_some(int completed, const int *indices) {
    record_find(OutcomeKind::Some, completed > 0, completed);
    for (int i = 0; i < completed; ++i)
        record_outcome(OutcomeKind::Index, indices[i]);
}

// Returns whether all requests are complete, for a call that does not wait. If not, lets others
// run.
bool find_all(int count, const MPI_Request *requests) MAY_SUSPEND {
    look_into_tray();
    Outcome outcome;
    if (replays_outcomes()) [[unlikely]]
        outcome = replay_outcome(OutcomeKind::Complete, true);
    bool done = outcome.kind == OutcomeKind::Complete;
    if (done)
        for (int i = 0; i < count; ++i)
            wait_as_recorded(count, requests, static_cast<uint32_t>(i));
    else if (outcome.kind == OutcomeKind::None)
        done = count_pending(count, requests) == 0 && !completes_later(count, requests);
    if (outcome.kind == OutcomeKind::None && records_outcomes()) [[unlikely]]
        record_find(OutcomeKind::Complete, done, 0);
    if (!done)
        yield_or_help(count, requests, Wanted::All);
    return done;
}

// Returns the index of a complete request, for a call that does not wait; or -1. Sets `any_active`.
int look_for_one(int count, const MPI_Request *requests, bool &any_active) MAY_SUSPEND {
    int index;
    if (replays_outcomes()) [[unlikely]] {
        any_active = any_is_active(count, requests);
        if (!any_active || replay_any(count, requests, true, index))
            return any_active ? index : -1;
    }
    index = find_done(count, requests, any_active);
    if (index >= 0 && completes_later(count, requests))
        index = -1;
    if (any_active && records_outcomes()) [[unlikely]]
        record_find(OutcomeKind::One, index >= 0, index);
    return index;
}

// Returns true if one of the requests is complete: `index` is its number. Otherwise sets all
// results of a call that does not wait, and lets others run.
bool find_any(int count, const MPI_Request *requests, int &index, bool &done,
              MPI_Status *status) MAY_SUSPEND {
    bool any_active;
    index = look_for_one(count, requests, any_active);
    done = index >= 0 || !any_active;
    if (index >= 0) {
        count_progress();
        return true;
    }
    index = MPI_UNDEFINED;
    if (done)
        set_empty_status(status);
    else
        yield_or_help(count, requests, Wanted::One);
    return false;
}

// Finds the requests that are complete (with a seed, at least one of them). Returns their number;
// their indices are in `indices`.
int find_complete(int count, const MPI_Request *requests, int *indices) {
    const int first = has_seed() ? choose_complete(count, requests) : -1;
    int completed = 0;
    for (int i = 0; i < count; ++i)
        if (is_active(requests[i]) && requests[i]->completion.done() &&
            (first < 0 || i == first || !completes_after_others(*requests[i])))
            indices[completed++] = i;
    return completed;
}

// Does what find_any() does for the calls that take all complete requests.
bool find_some(int count, const MPI_Request *requests, int &completed, int *indices) MAY_SUSPEND {
    bool any_active = any_is_active(count, requests);
    completed = 0;
    if (any_active &&
        !(replays_outcomes() && replay_some(count, requests, true, indices, completed))) {
        if (find_done(count, requests, any_active) >= 0 && !completes_later(count, requests))
            completed = find_complete(count, requests, indices);
        if (records_outcomes()) [[unlikely]]
            record_some(completed, indices);
    }
    if (completed > 0) {
        count_progress();
        return true;
    }
    if (any_active)
        yield_or_help(count, requests, Wanted::One);
    else
        completed = MPI_UNDEFINED;
    return false;
}

// Finishes the requests with these indices. Returns the error of the call.
Error finish_some(int completed, MPI_Request *requests, const int *indices,
                  MPI_Status *statuses) MAY_SUSPEND {
    Statuses finished(statuses);
    for (int i = 0; i < completed; ++i)
        finished.finish(i, requests[indices[i]]);
    return finished.result();
}

} // namespace

Error wait(MPI_Request &request, MPI_Status *status) {
    if (!is_active(request)) {
        set_empty_status(status);
        return success;
    }
    wait_for_active(*request);
    return finish_active(request, status);
}

Error test(MPI_Request &request, bool &done, MPI_Status *status) {
    done = find_all(1, &request);
    if (!done)
        return success;
    count_progress();
    return finish(request, status);
}

Error peek(MPI_Request request, bool &done, MPI_Status *status) {
    done = find_all(1, &request);
    if (!done)
        return success;
    note_seen_request();
    if (is_active(request))
        return peek_active(*request, status);
    set_empty_status(status);
    return success;
}

Error peek_all(int count, const MPI_Request *requests, bool &done, MPI_Status *statuses) {
    done = find_all(count, requests);
    if (!done)
        return success;
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
    return peek_active(*requests[index], status);
}

Error peek_some(int count, const MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) {
    if (!find_some(count, requests, completed, indices))
        return success;
    note_seen_request();
    Statuses peeked(statuses);
    for (int i = 0; i < completed; ++i)
        peeked.peek(i, requests[indices[i]]);
    return peeked.result();
}

Error wait_all(int count, MPI_Request *requests, MPI_Status *statuses) {
    look_into_tray();
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
    done = find_all(count, requests);
    if (!done)
        return success;
    count_progress();
    return wait_all(count, requests, statuses);
}

void wait_for_one(int count, MPI_Request *requests) {
    bool any_active;
    while (find_done(count, requests, any_active) < 0)
        wait_group(count, requests, count, Wanted::One);
}

Error wait_any(int count, MPI_Request *requests, int &index, MPI_Status *status) {
    if (replays_outcomes() && any_is_active(count, requests) &&
        replay_any(count, requests, false, index)) [[unlikely]]
        return finish(requests[index], status);
    for (;;) {
        bool any_active;
        index = find_done(count, requests, any_active);
        if (index >= 0) {
            if (records_outcomes()) [[unlikely]]
                record_outcome(OutcomeKind::One, index);
            return finish(requests[index], status);
        }
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
    if (replays_outcomes() && any_is_active(count, requests) &&
        replay_some(count, requests, false, indices, completed)) [[unlikely]]
        return finish_some(completed, requests, indices, statuses);
    bool any_active;
    while (find_done(count, requests, any_active) < 0) {
        if (!any_active) {
            completed = MPI_UNDEFINED;
            return success;
        }
        if (!help_with(count, requests))
            wait_group(count, requests, count_pending(count, requests), Wanted::One);
    }
    completed = find_complete(count, requests, indices);
    if (records_outcomes()) [[unlikely]]
        record_some(completed, indices);
    return finish_some(completed, requests, indices, statuses);
}

Error test_some(int count, MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) {
    return find_some(count, requests, completed, indices)
               ? finish_some(completed, requests, indices, statuses)
               : success;
}

} // namespace thrum
