// The begin and the end of MPI in a process whose job has other node processes (wireup/), or gets
// some.
#pragma once
#include "fiber/task.h"

#include <cstdint>
#include <string>

namespace thrum {

// Before the first MPI call of the calling rank that needs the others: the first rank of the
// process connects it and meets all other processes; its other ranks wait for that. True for the
// one that has done it.
bool join_job() MAY_SUSPEND;
// The process was the only one of its job, and others are to be added. Idempotent. False, and a
// sentence in `why`: there is nobody who could start them.
bool expect_other_processes(std::string &why) MAY_SUSPEND;
// In MPI_Finalize: returns when all ranks of all processes have called it, and the others will see
// no failure in the end of this process. Only ranks with which the process was started count.
void leave_job(bool is_first_rank) MAY_SUSPEND;

// What processes of different MPI_COMM_WORLDs tell each other.
enum class FamilyNotice : uint64_t {
    Ready,   // an added process and those that were added with it can take messages in
    Met,     // nothing
    Leaving, // the process is in MPI_Finalize
    Left,    // and does not wait for others there, as one is lost
};

// False: the process is gone.
bool send_notice(int process, FamilyNotice what) MAY_SUSPEND;
bool await_notice(int process, FamilyNotice what) MAY_SUSPEND;

} // namespace thrum
