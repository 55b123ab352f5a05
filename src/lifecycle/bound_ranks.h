// Ranks that are bound to the others of the job: in supersteps (from bsp_begin to bsp_end) and in
// ACLMPL (from acl_begin to acl_end), whose functions return no errors. When a process is lost
// meanwhile (pt2pt/lost.h), they cannot continue, and the job ends.
//
// Thrum's launcher sees on the status page that there are such ranks, ends the job and reports why.
// Without such a launcher, or for a loss before, the process does so itself a few seconds later.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Binds a rank, in a job of several processes.
void bind_to_others(const Rank &rank);
void unbind_from_others(const Rank &rank); // if it is bound

} // namespace thrum
