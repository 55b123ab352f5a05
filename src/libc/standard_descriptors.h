// Descriptors 0, 1 and 2 of a rank, which it may close, redirect and open again.
#pragma once
#include "base/may_suspend.h"
#include "libc/libc_state.h"

namespace thrum {

// Returns what a descriptor of the calling rank is in the process's table: itself, but for 0, 1 and
// 2 that the rank has redirected; -1 if it has closed it.
int real_descriptor(int descriptor);
// Returns what the program gets for `opened`, which a call has just opened (-1: it has failed).
// POSIX gives the lowest free number: if the rank has closed 0, 1 or 2, the program gets that, and
// what is opened then is the rank's. `least`: the program wants no lower one.
int numbered(int opened, int least = 0) MAY_SUSPEND;
void standard_descriptors_of_children(LibcState &state, int (&real)[3]) MAY_SUSPEND;
void enter_child_descriptors(LibcState &state, const int (&real)[3]);

} // namespace thrum
