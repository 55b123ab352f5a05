#include "comm/duplicates.h"

#include "base/check.h"

namespace thrum {

// The list is as long as the fastest member is ahead of the slowest: short.
Context &next_duplicate(Communicator &comm, int members) {
    uint32_t number = comm.duplicates_made++;
    Context &parent = *comm.context;
    LockGuard guard(parent.duplicates_lock);
    Context::Duplicate **link = &parent.duplicates;
    while (*link && (*link)->number != number)
        link = &(*link)->next;
    if (!*link)
        *link = new Context::Duplicate{new_context(members), number, members, nullptr};
    Context::Duplicate *found = *link;
    Context &context = *found->context;
    if (--found->missing == 0) {
        *link = found->next;
        delete found;
    }
    return context;
}

} // namespace thrum
