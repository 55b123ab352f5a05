#include "pt2pt/request.h"

#include "pt2pt/blocked.h"

namespace thrum {

Request sent_request, no_process_request;

namespace {

// Completes the two constants before any code of a program runs.
[[gnu::constructor(101)]] void make_constants() {
    sent_request.completion.set_done();
    no_process_request.completion.set_done();
    no_process_request.source = MPI_PROC_NULL;
}

} // namespace

void OperationRequest::wait(const Blockage *of_several) {
    wait_blocked(completion, of_several ? *of_several : blockage());
}

} // namespace thrum
