// MPI 5.0 sections 3.7.3 to 3.9 and 13.2: completion of requests, persistent and generalized
// requests, cancellation, and the fields of a status. Handles are checked here, as calls on
// requests may get stale ones; pt2pt/wait.h does the rest.
#include "comm/errhandler.h"
#include "comm/process.h"
#include "datatype/status.h"
#include "entry/calls.h"
#include "entry/tolerance.h"
#include "mpi/ready_send.h"
#include "pt2pt/cancel.h"
#include "pt2pt/generalized.h"
#include "pt2pt/persistent.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/request_result.h"
#include "pt2pt/wait.h"

namespace thrum::mpi {
namespace {

// Returns the error about an invalid handle; `index` < 0: the call has only one.
[[gnu::cold]] Error bad_request(const char *name, int index, MPI_Request request) {
    const char *what = request == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "not a pending request";
    if (index < 0)
        return fail(MPI_ERR_REQUEST, "%s is %s (handle %p)", name, what,
                    static_cast<void *>(request));
    return fail(MPI_ERR_REQUEST, "%s[%d] is %s (handle %p)", name, index, what,
                static_cast<void *>(request));
}

// Returns whether it is a live request or MPI_REQUEST_NULL.
bool is_request(MPI_Request request) {
    return request == MPI_REQUEST_NULL || is_live_request(request);
}

// `index` < 0: the call has only one request.
Error check_request(MPI_Request request, int index = -1) {
    if (is_request(request)) [[likely]]
        return success;
    return bad_request(index < 0 ? "request" : "array_of_requests", index, request);
}

// Checks a handle that must not be MPI_REQUEST_NULL.
Error check_live(MPI_Request request, int index = -1) {
    if (is_live_request(request)) [[likely]]
        return success;
    return bad_request(index < 0 ? "request" : "array_of_requests", index, request);
}

// Checks an array of handles; null handles are valid.
Error check_requests(int count, const MPI_Request *requests) {
    if (count > 0 && !requests)
        return fail(MPI_ERR_ARG, "array_of_requests is a null pointer, but its length is %d",
                    count);
    for (int i = 0; i < count; ++i)
        if (Error error = check_request(requests[i], i))
            return error;
    return success;
}

} // namespace

// Section 3.7.3
Error wait(MPI_Request *request, MPI_Status *status) {
    if (!is_request(*request)) [[unlikely]]
        return bad_request("request", -1, *request);
    return thrum::wait(*request, status);
}

Error test(MPI_Request *request, int *flag, MPI_Status *status) {
    if (Error error = check_request(*request))
        return error;
    bool done = false;
    Error error = thrum::test(*request, done, status);
    *flag = done;
    return error;
}

// Frees a collective operation that is complete, but that the program has not completed. Sections
// 6.12 and 6.13 forbid that; other MPIs accept it, so it is tolerated with a warning.
static Error free_complete_operation(MPI_Request &request, Error forbidden) MAY_SUSPEND {
    Request &freed = *request;
    if (!is_tolerated(Tolerance::CollectiveFreed))
        if (Error error = tolerate(Tolerance::CollectiveFreed, forbidden))
            return freed.comm ? blame(*freed.comm, error) : error;
    Error result = result_of(freed, MPI_STATUS_IGNORE); // may still have to copy
    if (freed.comm)
        result = blame(*freed.comm, result);
    request = MPI_REQUEST_NULL;
    const Error error = abandon_request(freed);
    return result ? result : error;
}

// An active operation may refuse (check_free()); otherwise it is finished without the program.
Error request_free(MPI_Request *request) {
    if (Error error = check_live(*request))
        return error;
    Request &freed = **request;
    if (freed.kind == RequestKind::Operation && freed.active)
        if (Error error = static_cast<OperationRequest &>(freed).check_free()) {
            // An operation that is still active may not be freed at all; one that is complete is
            // tolerated.
            if (freed.completion.done())
                return free_complete_operation(*request, error);
            return freed.comm ? blame(*freed.comm, error) : error;
        }
    *request = MPI_REQUEST_NULL;
    return abandon_request(freed);
}

// Section 3.7.5: several requests. All handles are checked before any request is completed.
Error waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]) {
    if (Error error = check_requests(count, array_of_requests))
        return error;
    return wait_all(count, array_of_requests, array_of_statuses);
}

// The flag is an int in C; the implementation stores a bool. All handles are checked before
// anything is completed.
Error testall(int count, MPI_Request array_of_requests[], int *flag,
              MPI_Status array_of_statuses[]) {
    if (Error error = check_requests(count, array_of_requests))
        return error;
    bool done = false;
    Error error = test_all(count, array_of_requests, done, array_of_statuses);
    *flag = done;
    return error;
}

Error waitany(int count, MPI_Request array_of_requests[], int *index, MPI_Status *status) {
    if (Error error = check_requests(count, array_of_requests))
        return error;
    return wait_any(count, array_of_requests, *index, status);
}

Error testany(int count, MPI_Request array_of_requests[], int *index, int *flag,
              MPI_Status *status) {
    if (Error error = check_requests(count, array_of_requests))
        return error;
    bool done = false;
    Error error = test_any(count, array_of_requests, *index, done, status);
    *flag = done;
    return error;
}

Error waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
               MPI_Status array_of_statuses[]) {
    if (Error error = check_requests(incount, array_of_requests))
        return error;
    return wait_some(incount, array_of_requests, *outcount, array_of_indices, array_of_statuses);
}

Error testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
               MPI_Status array_of_statuses[]) {
    if (Error error = check_requests(incount, array_of_requests))
        return error;
    return test_some(incount, array_of_requests, *outcount, array_of_indices, array_of_statuses);
}

// Section 3.7.6: the same, without freeing the requests.
Error request_get_status(Request *request, int *flag, MPI_Status *status) {
    MPI_Request handle = request ? request : MPI_REQUEST_NULL;
    if (Error error = check_request(handle))
        return error;
    bool done = false;
    Error error = peek(handle, done, status);
    *flag = done;
    return error;
}

Error request_get_status_any(int count, const MPI_Request array_of_requests[], int *index,
                             int *flag, MPI_Status *status) {
    if (Error error = check_requests(count, array_of_requests))
        return error;
    bool done = false;
    Error error = peek_any(count, array_of_requests, *index, done, status);
    *flag = done;
    return error;
}

Error request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag,
                             MPI_Status array_of_statuses[]) {
    if (Error error = check_requests(count, array_of_requests))
        return error;
    bool done = false;
    Error error = peek_all(count, array_of_requests, done, array_of_statuses);
    *flag = done;
    return error;
}

Error request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                              int array_of_indices[], MPI_Status array_of_statuses[]) {
    if (Error error = check_requests(incount, array_of_requests))
        return error;
    return peek_some(incount, array_of_requests, *outcount, array_of_indices, array_of_statuses);
}

// Section 3.8.4
Error cancel(MPI_Request *request) {
    if (Error error = check_live(*request))
        return error;
    return thrum::cancel(**request);
}

Error test_cancelled(const MPI_Status *status, int *flag) {
    *flag = status_cancelled(*status);
    return success;
}

// Section 3.9
Error start(MPI_Request *request) {
    if (Error error = check_live(*request))
        return error;
    if (Error error = check_ready_start(**request))
        return error;
    return thrum::start(**request);
}

// Requests before a wrong one stay started.
Error startall(int count, MPI_Request array_of_requests[]) {
    if (count > 0 && !array_of_requests)
        return check_requests(count, array_of_requests);
    for (int i = 0; i < count; ++i) {
        if (Error error = check_live(array_of_requests[i], i))
            return error;
        if (Error error = check_ready_start(*array_of_requests[i]))
            return error;
        if (Error error = thrum::start(*array_of_requests[i]))
            return error;
    }
    return success;
}

// Section 13.2
Error grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                     MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
                     MPI_Request *request) {
    *request = start_generalized(query_fn, free_fn, cancel_fn, extra_state);
    return success;
}

// Called by any thread of the program, when its own operation is done.
Error grequest_complete(Request *request) {
    MPI_Request handle = request ? request : MPI_REQUEST_NULL;
    if (Error error = check_live(handle))
        return error;
    if (request->kind != RequestKind::Generalized)
        return fail(MPI_ERR_REQUEST, "request (handle %p) is not a generalized request",
                    static_cast<void *>(request));
    return complete_generalized(static_cast<GeneralizedRequest &>(*request));
}

// Sections 3.2.5 and 13.3: fields of a status
Error status_get_source(const MPI_Status *status, int *source) {
    *source = status->MPI_SOURCE;
    return success;
}

Error status_get_tag(const MPI_Status *status, int *tag) {
    *tag = status->MPI_TAG;
    return success;
}

Error status_get_error(const MPI_Status *status, int *err) {
    *err = status->MPI_ERROR;
    return success;
}

Error status_set_source(MPI_Status *status, int source) {
    status->MPI_SOURCE = source;
    return success;
}

Error status_set_tag(MPI_Status *status, int tag) {
    status->MPI_TAG = tag;
    return success;
}

Error status_set_error(MPI_Status *status, int err) {
    status->MPI_ERROR = err;
    return success;
}

Error status_set_cancelled(MPI_Status *status, int flag) {
    set_status_cancelled(*status, flag != 0);
    return success;
}

} // namespace thrum::mpi
