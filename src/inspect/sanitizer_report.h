// Names the rank that caused an error found by a sanitizer (AddressSanitizer, for example), in a
// line after the sanitizer's report.
#pragma once

namespace thrum {

// Installs the callback. Call it once, at the start of the job. Does nothing without a sanitizer.
void name_ranks_in_sanitizer_reports();

} // namespace thrum
