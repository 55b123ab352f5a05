// Creates and frees windows, and lists the existing ones.
#pragma once
#include "rma/window.h"

namespace thrum {

// Makes a window, collectively over `comm`, which must be an intra-communicator. If any member's
// request is invalid, all members return that error. The memory belongs to the window, unless the
// request names it.
Error make_window(Communicator &comm, const WindowRequest &request, Window *&win) MAY_SUSPEND;
// Frees a window, collectively: returns when all members have called it. The caller has deleted the
// attributes.
Error free_window(Window &win) MAY_SUSPEND;
// Returns MPI_ERR_RMA_SYNC unless MPI_Win_free may be called at this moment (section 12.2.5).
Error check_idle(Window &win);

// Calls visit(shared) for each window of this process, with the list's spin lock held: no window
// begins or ends meanwhile, and `visit` must not suspend.
void for_each_window(void (*visit)(SharedWindow &shared, void *argument), void *argument);

} // namespace thrum
