// The OS threads that are tasks, for reports about threads that sleep.
#pragma once
#include "fiber/task_state.h"

namespace thrum {

// Called by enter_os_thread() and leave_os_thread(), which may delete the task afterwards.
void list_os_thread(Task &task);
void unlist_os_thread(Task &task);

// Sets a function that is called when a second thread is listed, or a further one; before there are
// any.
void set_several_threads_function(void (*function)());

// Calls visit(task, argument) for each of them. None ends meanwhile, so `visit` must be brief.
void visit_os_threads(void (*visit)(Task &task, void *argument), void *argument);

// Returns how many threads have been announced that may not be listed yet.
int starting_os_threads();

} // namespace thrum
