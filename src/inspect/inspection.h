// Installs all reports about faults at once.
#pragma once
#include "inspect/crash.h"
#include "inspect/ending.h"
#include "inspect/names.h"
#include "inspect/symbols.h"

namespace thrum {

// Installs the handlers of crashes and interrupts and the deadlock report, and finds the symbolize
// program. Call it once, at the start of the job, on the main thread; every other OS thread that
// runs ranks calls prepare_thread_for_crashes() itself. `function_names` converts a thrum::Function
// to its MPI name.
void install_inspection(FunctionNameFunction *function_names);

} // namespace thrum
