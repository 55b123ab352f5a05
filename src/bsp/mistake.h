// Mistakes of the program: each ends the job with one line that names the process, the superstep
// and the line of the call.
#pragma once
#include "base/may_suspend.h"
#include "bsp/place.h"

namespace thrum::bsp {

// Reports "rank 3, superstep 7: bsp_put: ... (at a.c:5 in f)" and ends the job. Only the node
// process of the rank knows the line, so a mistake of a rank elsewhere is sent there.
[[noreturn, gnu::cold, gnu::format(printf, 3, 4)]] void
mistake_at(const Place &place, uint64_t superstep, const char *format, ...);
// Does the same for the call that the caller is in.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void mistake(uint64_t superstep,
                                                                const char *format, ...);
// Does the same, but returns if the rank is in another node process, which will end the job.
[[gnu::cold, gnu::format(printf, 3, 4)]] void complain_at(const Place &place, uint64_t superstep,
                                                          const char *format, ...) MAY_SUSPEND;

} // namespace thrum::bsp
