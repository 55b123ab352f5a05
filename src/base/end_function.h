// What a process does before it ends without having finished: it reports to the launcher. Otherwise
// the other processes of the job would wait for it.
#pragma once

namespace thrum {

// Sets the function that die() and end_job() call once, perhaps in a signal handler, with the exit
// code. A layer above installs it. It must return soon.
void set_end_function(void (*function)(int code));

// Sets the function that writes all that the process has printed; it is called once, before the end
// function.
void set_output_function(void (*function)());

// Called by the functions that end the process.
void call_output_function();
void call_end_function(int code);

} // namespace thrum
