// Ranks that end badly (MPI 5.0 section 11.2.2: MPI_Finalize before the end; exit codes by custom).
#pragma once
#include "rank/rank.h"

namespace thrum {

// What is wrong with `rank`'s end with exit code `code`: heap text, or nullptr if nothing is. Fits
// JobHooks::rank_ended.
const char *complaint_about_end(Rank &rank, int code);

} // namespace thrum
