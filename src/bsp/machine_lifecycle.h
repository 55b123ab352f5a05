// The beginning and the end of a program's processes.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// See <thrum/bsp.h>.
void init(void (*spmd)()) MAY_SUSPEND;
// In a job of several node processes this one has joined it.
void begin(int maxprocs) MAY_SUSPEND;
void end() MAY_SUSPEND;
int available_processes();

// Makes this node process's part of the machine after process 0, elsewhere, has begun. Does not
// suspend.
void begin_as_told(const Beginning &beginning);
// The machine of several node processes; nullptr: it has not begun here.
Machine *spanning_machine();

} // namespace thrum::bsp
