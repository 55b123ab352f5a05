// The functions of the program are called without any lock.
#include "pt2pt/generalized.h"

#include "datatype/status.h"

namespace thrum {

MPI_Request start_generalized(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free,
                              MPI_Grequest_cancel_function *cancel, void *extra_state) {
    auto *request = new GeneralizedRequest;
    request->kind = RequestKind::Generalized;
    request->query = query;
    request->free = free;
    request->cancel = cancel;
    request->extra_state = extra_state;
    return request;
}

Error complete_generalized(GeneralizedRequest &request) {
    request.completion.complete(); // our reference keeps the request
    return release_generalized(request);
}

Error query_generalized(GeneralizedRequest &request, MPI_Status *status) {
    MPI_Status ignored{}; // section 13.2: the function always gets a status
    MPI_Status *filled = status != MPI_STATUS_IGNORE ? status : &ignored;
    const int error_field = filled->MPI_ERROR;
    set_empty_status(filled);
    filled->MPI_ERROR = error_field;
    return Error(request.query(request.extra_state, filled));
}

Error release_generalized(GeneralizedRequest &request) {
    // acq_rel [grequest-1]: the last holder sees what the other has written.
    if (request.references.fetch_sub(1, std::memory_order_acq_rel) > 1)
        return success;
    Error error(request.free(request.extra_state));
    request.magic = 0;
    delete &request;
    return error;
}

} // namespace thrum
