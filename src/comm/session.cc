#include "comm/session.h"

#include "comm/errhandler.h"
#include "comm/hints.h"
#include "comm/process.h"
#include "wireup/wireup.h"

#include <cstring>
#include <iterator>

namespace thrum {
namespace {

constinit ObjectPool<Session> pool;

constexpr const char *pset_names[] = {"mpi://WORLD", "mpi://SELF"};
constexpr int own_pset_count = std::size(pset_names);

// All ranks of the set's processes, in the order of MPI_COMM_WORLD.
Group *group_of_set(const ProcessSet &set, Session *session) {
    std::vector<Process *> members;
    for (int process : set.processes)
        for (int rank : ranks_of(process))
            members.push_back(&process_at(rank));
    return new_group(std::move(members), session);
}

template <class Visit>
void for_each_element(const std::string &list, Visit visit) {
    for (size_t begin = 0; begin < list.size();) {
        size_t end = std::min(list.find(',', begin), list.size());
        visit(list.substr(begin, end - begin));
        begin = end + 1;
    }
}

} // namespace

Session *new_session(Process &process, Errhandler &errhandler, Info &hints) {
    Session *session = pool.make();
    session->process = &process;
    session->errhandler = &errhandler;
    session->hints = &hints;
    retain(errhandler);
    count_session(process, 1);
    return session;
}

void finalize_session(Session &session) {
    Process &process = *session.process;
    session.magic = 0;
    release(session);
    count_session(process, -1);
}

void retain(Session &session) {
    session.references.fetch_add(1, std::memory_order_relaxed);
}

void release(Session &session) {
    // acq_rel [session-1]: the last one to leave sees everybody's use done before it frees.
    if (session.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    release(*session.errhandler);
    delete_info(session.hints);
    pool.destroy(&session);
}

int pset_count() {
    return own_pset_count + static_cast<int>(process_sets().size());
}

const char *pset_name(int n) {
    return n < own_pset_count
               ? pset_names[n]
               : process_sets()[static_cast<size_t>(n - own_pset_count)].name.c_str();
}

// Scheme and authority of a URI are the same in upper and in lower case (RFC 3986 section 6.2.2.1).
Group *new_pset_group(Process &process, const char *name, Session *session) {
    if (strcasecmp(name, pset_names[0]) == 0)
        return group_of_session(*process.world->group, session);
    if (strcasecmp(name, pset_names[1]) == 0)
        return new_group({&process}, session);
    for (const ProcessSet &set : process_sets())
        if (set.name == name)
            return group_of_set(set, session);
    return nullptr;
}

std::string supported_memory_kinds(const std::string *asked) {
    std::string kinds = memory_alloc_kinds;
    if (asked)
        for_each_element(*asked, [&](const std::string &element) {
            if (element.find(':') != std::string::npos && is_known_memory_kind(element))
                kinds += "," + element;
        });
    return kinds;
}

} // namespace thrum
