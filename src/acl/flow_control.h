// Flow control of asynchronous messages between node processes: a PE that has received too few of
// its messages tells the sending processes to stop, and later to go on. PEs are identified by their
// numbers in the job.
//
// Stop and Go are sent without a lock, so a Go may arrive before the Stop that it takes back. They
// have numbers (`change`), and the larger one counts.
#pragma once
#include "base/node_process.h"
#include "fiber/task.h"

#include <vector>

namespace thrum {

// Tells `process` to send nothing more to the PE of this process with number `number`.
void tell_to_stop(NodeProcess process, int number, int change) MAY_SUSPEND;
// Tells processes that were told to stop that the PE has room again.
void let_processes_go(int number, int change,
                      const std::vector<NodeProcess> &processes) MAY_SUSPEND;

// Records a Stop or Go of the PE elsewhere with this number. Any thread.
void set_stopped(int number, bool stopped, int change);
// Waits until the PE elsewhere with this number may be sent to.
void wait_while_stopped(int number) MAY_SUSPEND;

} // namespace thrum
