// Runs ranks without images, for unit tests and benchmarks.
#pragma once
#include "fiber/testing/team.h"
#include "rank/rank.h"

namespace thrum {

// Runs function(rank, argument) as `count` ranks to their end.
void run_ranks(int count, void (*function)(Rank &rank, void *argument), void *argument,
               const TeamOptions &options);

} // namespace thrum
