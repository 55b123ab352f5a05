// Session objects. A session ends with MPI_Session_finalize, but its memory stays while groups and
// communicators derived from it exist: `magic` tells whether it is alive.
#include "comm/session.h"

#include "comm/errhandler.h"
#include "comm/hints.h"
#include "comm/process.h"

#include <algorithm>

namespace thrum {
namespace {

constinit ObjectPool<Session> pool;

// Calls visit(element) for each element of a list separated by commas.
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
