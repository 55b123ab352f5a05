// Aligns the clocks of the machines of a job by the messages between them: a message that seems to
// arrive too early shows that a clock is wrong.
#pragma once
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace observation {

// The shortest time in ns from sent to received, of the messages from one machine to another one by
// the clocks of both. It is negative if the receiver's clock is far behind.
using LeastDelays = std::map<std::pair<size_t, size_t>, double>;

struct Alignment {
    std::vector<double> ahead_ns; // by machine: how far its clock is ahead of that of machine 0
    double error_ns = 0;          // no clock is off by more; holds if all are bounded
    bool is_bounded = true;       // messages went both ways, to each machine
};

// Two machines exchange messages both ways: the clocks differ by half of what the shortest delays
// differ, and that is off by at most half of their sum (as in NTP, RFC 5905, section 8). The pairs
// are taken from the least sum on, from machine 0 to all others. Machines without such a pair keep
// their clocks, but for what would let a message arrive before it is sent.
Alignment align_clocks(size_t machines, const LeastDelays &delays);

} // namespace observation
