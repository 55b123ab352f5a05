// Begins and ends MPI in a process whose job has other node processes (wireup/), or will have some.
#pragma once
#include "base/node_process.h"
#include "fiber/task.h"

#include <cstdint>
#include <string>

namespace thrum {

// Joins the other processes; called before a rank's first MPI call that needs them. The first rank
// of the process connects it and meets all other processes; its other ranks wait for that. Returns
// true for the rank that has done it.
bool join_job() MAY_SUSPEND;
// Prepares the only process of a job for others that will be added. Idempotent. Returns false, with
// a sentence in `why`, if there is no launcher that can start them.
bool expect_other_processes(std::string &why) MAY_SUSPEND;
// Leaves the job; called in MPI_Finalize. Returns when all ranks of all processes have called it,
// and the others will not take the end of this process for a failure. Only the initial ranks of the
// process count.
void leave_job(bool is_first_rank) MAY_SUSPEND;

// The notices that processes of different MPI_COMM_WORLDs send each other.
enum class FamilyNotice : uint64_t {
    Ready,   // an added process, and those added with it, can receive messages
    Met,     // has no effect; makes the two processes watch each other
    Leaving, // the process is in MPI_Finalize
    Left,    // the process ends without waiting for others, because one is lost
};

// Sends a notice. Returns false if the process is gone.
bool send_notice(NodeProcess process, FamilyNotice what) MAY_SUSPEND;
// Waits for a notice of `process`. Returns false if the process is lost before it sends one.
bool await_notice(NodeProcess process, FamilyNotice what) MAY_SUSPEND;

} // namespace thrum
