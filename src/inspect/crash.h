// Crash reports. A rank's SIGSEGV, SIGBUS, SIGILL, SIGFPE or SIGABRT prints the rank, the place,
// its MPI call and its backtrace. Then the job ends with exit code 128 + signal, or by the signal,
// if core files are enabled.
#pragma once

namespace thrum {

// Gives the calling OS thread a signal stack, without which a stack overflow cannot be reported,
// and records where its own stack is. Each worker, each rank's OS thread and the main thread must
// call it before running code of the program. A second call does nothing.
void prepare_thread_for_crashes();

// Installs the handlers for all threads.
void install_crash_handlers();

// For a process that is one rank: libgfortran's main program has replaced these handlers by its
// own, which name no rank, write no output, and cannot report a stack overflow. Installs them again
// in their place. Call it once main runs.
void take_crashes_from_fortran();

} // namespace thrum
