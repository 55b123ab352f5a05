// Crash reports: a rank's SIGSEGV, SIGBUS, SIGILL, SIGFPE or SIGABRT names the rank, the place, the
// MPI call that it is in, and that rank's backtrace; then the job ends with 128 + signal.
#pragma once

namespace thrum {

// Gives the calling OS thread a signal stack, without which a stack overflow cannot be reported,
// and notes where its own stack is. To be called by each worker, each rank's OS thread, and the
// main thread, before it runs anything of the program. A second call does nothing.
void prepare_thread_for_crashes();

void install_crash_handlers();

// In a process that is one rank: libgfortran's main program has put handlers of its own in the
// place of these; they are called when the output of the process is written. Once main runs.
void save_output_from_fortran_crashes();

} // namespace thrum
