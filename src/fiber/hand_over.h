// Wakes a task so that it runs next, for wakers that expect to wait themselves soon.
#pragma once
#include "fiber/task.h"

namespace thrum {

// Makes a task runnable that has run last on the caller's worker, and lets it run next there,
// before the queue. Other workers may steal it meanwhile, as from the queue. The switch then costs
// neither task the queue's lock.
void hand_over(Task &task);

} // namespace thrum
