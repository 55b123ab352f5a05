// Thread-specific data of each rank.
#pragma once

namespace thrum {

// Destroys the values of the calling thread, at its end, under its rank.
void run_key_destructors();

} // namespace thrum
