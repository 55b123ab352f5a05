// Ranks that end abnormally (MPI 5.0 section 11.2.2: MPI_Finalize before the end; exit codes by
// convention).
#pragma once
#include "rank/rank.h"

namespace thrum {

// Describes what is wrong if `rank` ends with exit code `code`: heap text, or nullptr if nothing
// is. If the end is that of all ranks of this process (`end_others`), claims it, and says where the
// others are.
const char *complaint_about_end(Rank &rank, int code, bool end_others);

} // namespace thrum
