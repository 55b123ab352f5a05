// Generalized requests (MPI 5.0 section 13.2): operations that the program defines and completes
// itself. They have two references: the handle, and the coming call of MPI_Grequest_complete.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

MPI_Request start_generalized(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free,
                              MPI_Grequest_cancel_function *cancel, void *extra_state);

// Does MPI_Grequest_complete; may be called by any thread of the process.
Error complete_generalized(GeneralizedRequest &request);

// Calls the program's query function, which fills in the status of a complete request. Returns its
// error.
Error query_generalized(GeneralizedRequest &request, MPI_Status *status);

// Releases one of the two references. The last release calls the program's free function and
// returns its error.
Error release_generalized(GeneralizedRequest &request);

} // namespace thrum
