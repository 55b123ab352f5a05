// Creates and frees windows, and lists the existing ones.
#pragma once
#include "rma/window.h"

namespace thrum {

// Makes a window, collectively over `comm`, which must be an intra-communicator. If any member's
// request is invalid, all members get its error.
Error make_window(Communicator &comm, const WindowRequest &request, Window *&win) MAY_SUSPEND;
// Frees a window, collectively: returns when all members have come. The caller deletes attributes
// first.
Error free_window(Window &win) MAY_SUSPEND;
// Checks whether MPI_Win_free may be called now (section 12.2.5).
Error check_idle(Window &win);

// Calls visit(shared) for each window of this process. No window begins or ends meanwhile.
void for_each_window(void (*visit)(SharedWindow &shared, void *argument), void *argument);

} // namespace thrum
