// Begins and ends MPI in a process whose job has other node processes (wireup/), or gets some.
#pragma once
#include "base/node_process.h"
#include "fiber/task.h"

#include <cstdint>
#include <string>

namespace thrum {

// Called before a rank's first MPI call that needs the others. The first rank of the process
// connects it and meets all other processes; its other ranks wait for that. Returns true for the
// rank that has done it.
bool join_job() MAY_SUSPEND;
// Prepares the only process of a job for others that will be added. Idempotent. Returns false, with
// a sentence in `why`, if nothing can start them.
bool expect_other_processes(std::string &why) MAY_SUSPEND;
// Called in MPI_Finalize. Returns when all ranks of all processes have called it, and the others
// will not take the end of this process for a failure. Only the process's initial ranks count.
void leave_job(bool is_first_rank) MAY_SUSPEND;

// The notices that processes of different MPI_COMM_WORLDs send each other.
enum class FamilyNotice : uint64_t {
    Ready,   // an added process, with those added together, can take in messages
    Met,     // no effect
    Leaving, // the process is in MPI_Finalize
    Left,    // and does not wait for others there, because one is lost
};

// Sends a notice. Returns false if the process is gone.
bool send_notice(NodeProcess process, FamilyNotice what) MAY_SUSPEND;
bool await_notice(NodeProcess process, FamilyNotice what) MAY_SUSPEND;

} // namespace thrum
