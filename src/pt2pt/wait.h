// Completion of requests (MPI 5.0 sections 3.7.3 to 3.7.6). Handles are live requests or
// MPI_REQUEST_NULL. Functions that complete a request free it and set its handle to
// MPI_REQUEST_NULL, or make it inactive if it is persistent. Statuses may be MPI_STATUS_IGNORE or
// MPI_STATUSES_IGNORE.
//
// Functions for several statuses return MPI_ERR_IN_STATUS if one of the operations has failed.
#pragma once
#include "pt2pt/request.h"
#include "rank/rank.h"

namespace thrum {

Error wait(MPI_Request &request, MPI_Status *status) MAY_SUSPEND;
Error test(MPI_Request &request, bool &done, MPI_Status *status) MAY_SUSPEND;

Error wait_all(int count, MPI_Request *requests, MPI_Status *statuses) MAY_SUSPEND;
Error test_all(int count, MPI_Request *requests, bool &done, MPI_Status *statuses) MAY_SUSPEND;

// Set `index` to MPI_UNDEFINED if no request is active.
Error wait_any(int count, MPI_Request *requests, int &index, MPI_Status *status) MAY_SUSPEND;
Error test_any(int count, MPI_Request *requests, int &index, bool &done,
               MPI_Status *status) MAY_SUSPEND;

// Set `completed` to MPI_UNDEFINED if no request is active.
Error wait_some(int count, MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) MAY_SUSPEND;
Error test_some(int count, MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) MAY_SUSPEND;

// Do the same as test...() for MPI_Request_get_status and related functions, but leave the requests
// as they are.
Error peek(MPI_Request request, bool &done, MPI_Status *status) MAY_SUSPEND;
Error peek_all(int count, const MPI_Request *requests, bool &done,
               MPI_Status *statuses) MAY_SUSPEND;
Error peek_any(int count, const MPI_Request *requests, int &index, bool &done,
               MPI_Status *status) MAY_SUSPEND;
Error peek_some(int count, const MPI_Request *requests, int &completed, int *indices,
                MPI_Status *statuses) MAY_SUSPEND;

// Waits until one of the requests, which are all active, is complete. It finishes none of them.
void wait_for_one(int count, MPI_Request *requests) MAY_SUSPEND;

} // namespace thrum
