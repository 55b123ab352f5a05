// What a process does before it ends without having finished: it reports to the launcher of the
// other processes of the job, which would wait for it otherwise.
#pragma once

namespace thrum {

// Sets the function that die() and end_job() call once, perhaps in a signal handler, with the
// coming exit code. A layer above installs it. It must return soon.
void set_end_function(void (*function)(int code));

// Sets what writes all that the process has printed, before that. It is called once.
void set_output_function(void (*function)());

// For those that end the process.
void call_output_function();
void call_end_function(int code);

} // namespace thrum
