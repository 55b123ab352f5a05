// hand_over(): makes a task run next, for a caller that expects to wait soon itself.
#pragma once
#include "fiber/task.h"

namespace thrum {

// Makes `task` runnable. If it has run last on the caller's worker, it runs next there, before the
// queue. Neither task then needs the queue's lock for the switch. Other workers may still steal it,
// as from the queue.
void hand_over(Task &task);

} // namespace thrum
