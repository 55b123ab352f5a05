// For wakers that expect to wait themselves soon.
#pragma once
#include "fiber/task.h"

namespace thrum {

// make_runnable(), but the task is the next to run on the caller's worker, before its queue, if it
// has run there last. Others may take it meanwhile, as from the queue. The switch then costs
// neither of the two the queue's lock.
void hand_over(Task &task);

} // namespace thrum
