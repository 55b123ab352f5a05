// Do what deliver() and submit() do for a target in another node process.
#pragma once
#include "bsp/machine.h"

namespace thrum::bsp {

void deliver_elsewhere(Node &from, Node &to, const Message &header, Part tag,
                       Part payload) MAY_SUSPEND;
void submit_elsewhere(Node &from, Node &to, Request &request) MAY_SUSPEND;

} // namespace thrum::bsp
