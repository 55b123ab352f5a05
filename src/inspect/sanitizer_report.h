// What is added to an error that a sanitizer has found in the program: whose it is.
#pragma once

namespace thrum {

// Once, at the start of the job. Does nothing where no sanitizer is loaded.
void name_ranks_in_sanitizer_reports();

} // namespace thrum
