// For unit tests and benchmarks: PEs of a partition, without images.
#pragma once
#include "acl/partition.h"
#include "comm/testing/processes.h"

namespace thrum {

// Runs function(element) as each PE of a partition of `count`, to their end.
template <class F>
void run_partition(int count, F function, const TeamOptions &options = {}) {
    run_processes(
        count,
        [&](Process &process) {
            Error error = begin_partition(process, false);
            CHECK(!error, "begin_partition: %s", error_detail(error.code()));
            function(*current_element());
            error = end_partition(*current_element());
            CHECK(!error, "end_partition: %s", error_detail(error.code()));
        },
        options);
}

} // namespace thrum
