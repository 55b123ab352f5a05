// The queue of duplicates that some members have asked for (duplicates.h).
#include "comm/duplicates.h"

#include "base/check.h"
#include "comm/span.h"

namespace thrum {

// Makes the context of a duplicate. One that spans processes has id 0 until its members have agreed
// on an id (mpi/comm_create.cc).
static Context *new_duplicate(const Context &parent, int members) {
    if (!parent.span)
        return new_context(members);
    Context *context = new_context_with(0, members);
    context->span = copy_process_map(*parent.span);
    return context;
}

// The first member to ask for a number makes the context. When all have asked, the entry leaves the
// queue; the context lives on with its communicators.
Context &next_duplicate(Communicator &comm) {
    const uint32_t number = comm.duplicates_made++;
    Context &parent = *comm.context;
    const int members = parent.span ? static_cast<int>(parent.span->locals.size())
                                    : comm.size + (comm.inter ? comm.remote_size : 0);
    LockGuard guard(parent.duplicates_lock);
    if (!parent.duplicates)
        parent.duplicates = new Duplicates;
    Duplicates &waiting = *parent.duplicates;
    const size_t place = number - waiting.first;
    CHECK(place <= waiting.entries.size(), "duplicate %u asked for before number %zu", number,
          waiting.first + waiting.entries.size());
    if (place == waiting.entries.size())
        waiting.entries.push_back({new_duplicate(parent, members), members});
    Duplicates::Entry &entry = waiting.entries[place];
    Context &context = *entry.context;
    if (--entry.missing == 0) {
        waiting.entries.pop_front();
        ++waiting.first;
    }
    return context;
}

void free_duplicates(Duplicates *duplicates) {
    delete duplicates;
}

} // namespace thrum
