// Generalized requests (MPI 5.0 section 13.2): operations of the program's own that MPI waits for.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

MPI_Request start_generalized(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free,
                              MPI_Grequest_cancel_function *cancel, void *extra_state);

// MPI_Grequest_complete; may be called by any thread of the process.
Error complete_generalized(GeneralizedRequest &request);

// Lets the program's query function fill in the status of a complete request.
Error query_generalized(GeneralizedRequest &request, MPI_Status *status);

// Gives up one of the two references; the last one calls the program's free function.
Error release_generalized(GeneralizedRequest &request);

} // namespace thrum
