// What a process does when it ends early: it notifies whoever started the other processes of the
// job, because these would otherwise wait for it.
#pragma once

namespace thrum {

// Sets the function that die() and end_job() call once, perhaps in a signal handler, with the
// coming exit code. A layer above installs it. It must return soon.
void set_end_function(void (*function)(int code));

// Sets the function that writes pending output before that. Only die() calls it; end_job() has
// written the output already.
void set_output_function(void (*function)());

// Calls the end function, for code that ends the process.
void call_end_function(int code);

} // namespace thrum
