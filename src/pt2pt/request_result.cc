#include "pt2pt/request_result.h"

#include "check/causality.h"
#include "datatype/status.h"
#include "pt2pt/generalized.h"
#include "pt2pt/lost.h"
#include "pt2pt/receive.h"

namespace thrum {

Error result_of_message(Request &request, MPI_Status *status) {
    switch (request.kind) {
    case RequestKind::Receive:
        return receive_result(request, status);
    // The status is that of the receive; an error of the send counts first.
    case RequestKind::Pair: {
        auto &pair = static_cast<PairRequest &>(request);
        if (Error error = result_of(*pair.send, MPI_STATUS_IGNORE))
            return error;
        return result_of(*pair.receive, status);
    }
    case RequestKind::Generalized:
        return query_generalized(static_cast<GeneralizedRequest &>(request), status);
    case RequestKind::Constant:
        set_status(status, request.source, MPI_ANY_TAG, 0);
        return success;
    case RequestKind::Send:
        if (tracks_causality()) [[unlikely]]
            note_matched(static_cast<SendRequest &>(request).message);
        break;
    case RequestKind::Flush:
    case RequestKind::Operation:
        break;
    }
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    if (status != MPI_STATUS_IGNORE)
        set_status_cancelled(*status, request.cancelled);
    return request.kind == RequestKind::Send ? send_result(static_cast<SendRequest &>(request))
                                             : success;
}

} // namespace thrum
