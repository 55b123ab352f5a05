// How windows are made and freed, and the list of those that there are.
#pragma once
#include "rma/window.h"

namespace thrum {

// Collective over `comm`, which is to be an intra-communicator. If any member's request is wrong,
// all members get its error.
Error make_window(Communicator &comm, const WindowRequest &request, Window *&win) MAY_SUSPEND;
// Collective: returns when all members have come. Attributes are the caller's to delete before.
Error free_window(Window &win) MAY_SUSPEND;
// Whether MPI_Win_free may be called now (section 12.2.5).
Error check_idle(Window &win);

// Calls visit(shared) for each window of this process; none begins or ends meanwhile.
void for_each_window(void (*visit)(SharedWindow &shared, void *argument), void *argument);

} // namespace thrum
