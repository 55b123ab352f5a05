// Ranks that end abnormally (MPI 5.0 section 11.2.2: MPI_Finalize before the end; exit codes by
// convention).
#pragma once
#include "rank/rank.h"

namespace thrum {

// Describes what is wrong if `rank` ends with exit code `code`: heap text, or nullptr if nothing
// is. Has the type of JobHooks::rank_ended.
const char *complaint_about_end(Rank &rank, int code);

} // namespace thrum
