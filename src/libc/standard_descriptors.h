// Descriptors 0, 1 and 2 of a rank, which it may close, redirect and open again.
//
// A rank's 1 and 2 are its OutputStreams and their targets; its 0 is Streams::input. All other
// descriptors are the process's, shared by all ranks.
#pragma once
#include "base/may_suspend.h"
#include "libc/libc_state.h"

namespace thrum {

// Returns what a descriptor of the calling rank is in the process's table: itself, except for 0, 1
// and 2 that the rank has redirected. -1 if the rank has closed it.
int real_descriptor(int descriptor);
// Returns what the program gets for `opened`, which a call has just opened (-1: it has failed).
// POSIX gives the lowest free number. If the rank has closed 0, 1 or 2, the program gets that
// number, and the rank owns `opened`. `least`: the lowest number that the program accepts
// (F_DUPFD).
int numbered(int opened, int least = 0) MAY_SUSPEND;
// Sets `real` to the process's descriptors that a child of the calling rank must have as 0, 1 and 2
// (-1: closed). Opens the rank's files of --output-dir first.
void standard_descriptors_of_children(LibcState &state, int (&real)[3]) MAY_SUSPEND;
// Makes descriptors 0, 1 and 2 of a child of fork() what they were for the rank. Called in the
// child.
void enter_child_descriptors(LibcState &state, const int (&real)[3]);

} // namespace thrum
