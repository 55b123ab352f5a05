// What the programs that write traces have in common beside the events.
#pragma once
#include "observation/events.h"

#include <string>

namespace trace {

// Returns the path of the program that names places (cmd/symbolize).
std::string symbolizer();
// Says how many events are missing, and why, if some are; and how well the clocks of several hosts
// agree.
void say_remarks(const observation::EventReader &events);

} // namespace trace
