#include "mpi/node_processes.h"

#include "acl/remote.h"
#include "bsp/remote.h"
#include "fabric/fabric.h"
#include "fiber/blocking_call.h"
#include "io/keeper.h"
#include "pt2pt/remote.h"
#include "pt2pt/remote_partitions.h"
#include "rank/rank.h"
#include "rma/remote.h"
#include "wireup/wireup.h"

#include <condition_variable>
#include <mutex>

namespace thrum {
namespace {

// Waiting is rare and long here, and what is waited for comes from outside: the ranks wait in the
// kernel, each in a blocking call.
constinit std::mutex mutex;
constinit bool joined = false;
int finalizing_count = 0; // ranks of this process in MPI_Finalize
bool left = false;

} // namespace

void join_job() {
    BlockingCall call;
    call.enter("MPI_Init");
    std::lock_guard guard(mutex);
    if (joined)
        return;
    wireup_connect();
    begin_remote_messages();
    bsp::begin_remote_supersteps();
    begin_remote_elements();
    begin_one_sided_messages();
    begin_partition_messages();
    begin_file_messages();
    fabric_begin({.process_count = node_process_count(),
                  .this_process = this_node_process(),
                  .node_of = node_of,
                  .publish = publish,
                  .fence = fence,
                  .fetch = fetch});
    fence(); // nobody sends before all can take messages in
    joined = true;
}

void leave_job() {
    static std::condition_variable has_left;
    BlockingCall call;
    call.enter("MPI_Finalize");
    std::unique_lock lock(mutex);
    if (++finalizing_count < first_rank_count()) {
        has_left.wait(lock, [] { return left; });
        return;
    }
    fabric_end();
    fence();
    wireup_end();
    left = true;
    has_left.notify_all();
}

} // namespace thrum
