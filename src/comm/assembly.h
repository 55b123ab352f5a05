// Assembly: how processes meet to create a communicator when none connects them yet
// (MPI_Comm_create_group, the leaders of MPI_Intercomm_create). All members are in this address
// space, so a table of pending assemblies, found by key, is enough. Groups with members in several
// node processes assemble in each, then exchange packets (mpi/creation.cc).
//
// Invariants
// 1. Assemblies under different keys do not see each other, however their members overlap.
// 2. The last member to come takes the assembly out of the table, so that the members may assemble
//    under the same key again at once.
#pragma once
#include "comm/communicator.h"
#include "fiber/task.h"

#include <string>

namespace thrum {

// What members have to agree on to meet each other.
struct AssemblyKey {
    enum class Purpose { CreateGroup, Leaders, FromGroup, LeadersFromGroups, FromGroups, Join };
    Purpose purpose = Purpose::CreateGroup;
    uint32_t context_id = 0;      // of the communicator passed to the call; 0: none
    int tag = 0;                  // the call's, or 0
    std::string string_tag;       // the call's, or ""
    const Group *group = nullptr; // the processes that have to come
};

// Waits until every member of key.group has called with an equal key. By then build(arguments) has
// been called once, in the last member, with the members' arguments by rank in the group; it may
// write through them. `rank` is the caller's in the group. Ends the process if a rank enters twice.
void assemble(const AssemblyKey &key, int rank, void *argument,
              void (*build)(void *const *arguments, const Group &group)) MAY_SUSPEND;

} // namespace thrum
