// The two process sets that always exist: all ranks of MPI_COMM_WORLD, and the rank itself.
#include "comm/process_sets.h"

#include <cstring>

namespace thrum {

static constexpr const char *pset_names[pset_count] = {"mpi://WORLD", "mpi://SELF"};

const char *pset_name(int n) {
    return pset_names[n];
}

// Scheme and authority of the URI are compared without regard to case (RFC 3986 section 6.2.2.1).
Group *new_pset_group(Process &process, const char *name, Session *session) {
    if (strcasecmp(name, pset_names[0]) == 0)
        return group_of_session(*process.world->group, session);
    if (strcasecmp(name, pset_names[1]) == 0)
        return new_group({&process}, session);
    return nullptr;
}

} // namespace thrum
