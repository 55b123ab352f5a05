// What a process does before it ends without having finished: it tells who has started the other
// processes of the job, who else would wait for it.
#pragma once

namespace thrum {

// A layer above says how: `function` is called once by die() and end_job(), perhaps in a signal
// handler, with the exit code to come. It must return, and soon.
void set_end_function(void (*function)(int code));

// Writes what the process has printed, before that: set by the layer that knows it; called by die()
// only, end_job() has done so already.
void set_output_function(void (*function)());

// For those that end the process.
void call_end_function(int code);

} // namespace thrum
