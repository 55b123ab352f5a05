// Thread-specific data of each rank (keys.cc).
#pragma once

namespace thrum {

// Runs the destructors of the calling thread's values, at its end, as its rank. Calls the program.
void run_key_destructors();

} // namespace thrum
