// Ranks that are bound to the others of the job: in supersteps (from bsp_begin to bsp_end) and in
// ACLMPL (from acl_begin to acl_end), whose functions return no errors. If a process is lost
// meanwhile (pt2pt/lost.h), they cannot continue, and the job ends.
//
// Thrum's launcher sees on the status page that there are such ranks, ends the job and reports why.
// Without such a launcher, or if the loss happened before, the process does so itself after a few
// seconds.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Binds a rank, in a job of several processes. If a process is lost already, the job ends soon.
void bind_to_others(const Rank &rank);
// Unbinds a rank; does nothing if it is not bound.
void unbind_from_others(const Rank &rank);

} // namespace thrum
