// Deadlock: the report when every rank is blocked and nothing can arrive.
#pragma once
#include "inspect/deadlock_report.h"

namespace thrum {

// What all ranks of this process are doing. Reads their state without stopping them: exact only
// while none runs.
Snapshot take_snapshot();

// Whether no thread that is unknown to the library may still send what the others wait for, and no
// rule is left by which a blocked one can go on. Of a process whose ranks are all blocked.
bool nobody_else_can_go_on();

// Prints deadlock_lines() and ends the job with deadlock_exit_code; does nothing if no rank is
// blocked (the job is about to end). A QuiescenceFunction.
void report_deadlock();

} // namespace thrum
