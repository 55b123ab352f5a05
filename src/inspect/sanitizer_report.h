// Adds to an error found by a sanitizer which rank caused it.
#pragma once

namespace thrum {

// Installs this once, at the start of the job. Does nothing if no sanitizer is loaded.
void name_ranks_in_sanitizer_reports();

} // namespace thrum
