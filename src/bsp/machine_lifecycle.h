// The beginning and the end of a program's processes.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

// The functions of <thrum/bsp.h> for begin and end. init() does not return in processes other than
// the first: it calls spmd() and ends the rank.
void init(void (*spmd)()) MAY_SUSPEND;
// In a job of several node processes, this one has joined it before.
void begin(int maxprocs) MAY_SUSPEND;
void end() MAY_SUSPEND;
// Returns how many processes bsp_begin() could have.
int available_processes();

// Makes this node process's part of the machine after process 0, in another node process, has
// begun. Does not suspend.
void begin_as_told(const Beginning &beginning);
// Returns the machine of several node processes; nullptr if it has not begun here.
Machine *spanning_machine();

} // namespace thrum::bsp
