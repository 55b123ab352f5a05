// Actions of a resumed fiber before it goes on.
#pragma once
#include "rank/rank.h"

namespace thrum {

enum class AtResume { CountTime, EnterDirectory }; // in this order

// Makes each resumed fiber call `function`, and then deliver the signals that have arrived
// meanwhile.
void do_at_resume(AtResume what, void (*function)(RankThread &resumed));
// Makes each resumed fiber deliver the signals that have arrived meanwhile.
void deliver_signals_at_resume();

} // namespace thrum
