// What a program does wrong: one line that names the process, the superstep and the line of the
// call, and the end of the job.
#pragma once
#include "base/may_suspend.h"
#include "rank/rank.h"

#include <cstdint>

namespace thrum::bsp {

// A call of a function of <thrum/bsp.h> in the program.
struct Place {
    int world_rank = 0;
    uint16_t function = 0;           // thrum::Function
    const void *call_site = nullptr; // in the node process of that rank
};

// That which the calling process is in.
Place current_place();

// "rank 3, superstep 7: bsp_put: ... (at a.c:5 in f)". Only the node process of the rank can tell
// the line: a mistake of another one's rank is told there.
[[noreturn, gnu::cold, gnu::format(printf, 3, 4)]] void
mistake_at(const Place &place, uint64_t superstep, const char *format, ...);
// The same for current_place().
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void mistake(uint64_t superstep,
                                                                const char *format, ...);
// The same, but it returns if the rank is in another node process, which will end the job.
[[gnu::cold, gnu::format(printf, 3, 4)]] void complain_at(const Place &place, uint64_t superstep,
                                                          const char *format, ...) MAY_SUSPEND;

} // namespace thrum::bsp
