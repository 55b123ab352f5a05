// Everything that is told when things go wrong, put in place at once.
#pragma once
#include "inspect/crash.h"
#include "inspect/ending.h"
#include "inspect/names.h"
#include "inspect/symbols.h"

namespace thrum {

// Handlers of crashes and interrupts, the deadlock report, and the way to the symbolize program.
// Once, at the start of the job, on the main thread; every other OS thread that runs ranks calls
// prepare_thread_for_crashes() itself. `function_names` turns a thrum::Function into its MPI name.
void install_inspection(FunctionNameFunction *function_names);

} // namespace thrum
