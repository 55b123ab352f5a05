// Actions of a fiber that a worker resumes, before the fiber's own code goes on. The fiber layer
// has one hook for this (fiber/worker.h); it stays unset until a rank needs one of the actions,
// because each switch pays for it.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Which action; they run in this order.
enum class AtResume { CountTime, EnterDirectory }; // in this order

// Makes each resumed fiber call `function` on its worker, and then deliver the signals that have
// arrived meanwhile. `function` must not suspend.
void do_at_resume(AtResume what, void (*function)(RankThread &resumed));
// Makes each resumed fiber deliver the signals that have arrived meanwhile.
void deliver_signals_at_resume();

} // namespace thrum
