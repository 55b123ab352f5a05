// Meeting: where the members of a communicator meet for collective operations. Collectives inside a
// process are not made of messages: members publish addresses, meet, and read each other's buffers.
//
// Members: of an intra-communicator its ranks; of an inter-communicator the ranks of side 0, then
// those of side 1. All members go through the same sequence of calls (section 6.1), which is all the
// synchronisation that a Meeting needs.
#pragma once
#include "comm/communicator.h"
#include "fiber/task.h"

namespace thrum {

// Made by one rank, for `members` members; freed with the context.
Meeting *new_meeting(int members);
void delete_meeting(Meeting *meeting);

// Number of the calling rank among the members, and of member `rank` of side `side`.
int member_of(const Communicator &comm);
int member_of(const Communicator &comm, int side, int rank);
int member_count(const Communicator &comm);

// Publishes `argument` (an address on the caller's stack, say) and waits until all members have come.
// Afterwards argument_of() gives every member's, until this member's next meet() returns: whoever
// publishes memory must meet once more before giving it up.
void meet(Communicator &comm, const void *argument) MAY_SUSPEND;
const void *argument_of(const Communicator &comm, int member);

} // namespace thrum
