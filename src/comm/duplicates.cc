#include "comm/duplicates.h"

#include "base/check.h"
#include "comm/span.h"

namespace thrum {

// The list is as long as the fastest member is ahead of the slowest: short.
static Context *new_duplicate(const Context &parent, int members) {
    if (!parent.span)
        return new_context(members);
    Context *context = new_context_with(0, members);
    context->span = copy_process_map(*parent.span);
    return context;
}

Context &next_duplicate(Communicator &comm) {
    uint32_t number = comm.duplicates_made++;
    Context &parent = *comm.context;
    const int members = parent.span ? static_cast<int>(parent.span->locals.size())
                                    : comm.size + (comm.inter ? comm.remote_size : 0);
    LockGuard guard(parent.duplicates_lock);
    Context::Duplicate **link = &parent.duplicates;
    while (*link && (*link)->number != number)
        link = &(*link)->next;
    if (!*link)
        *link = new Context::Duplicate{new_duplicate(parent, members), number, members, nullptr};
    Context::Duplicate *found = *link;
    Context &context = *found->context;
    if (--found->missing == 0) {
        *link = found->next;
        delete found;
    }
    return context;
}

} // namespace thrum
