// Enumerations of the system's databases, and the last functions with a static buffer, for one
// rank.
//
// glibc keeps one position for each database in the process. A rank counts how far it is; its next
// entry is found by starting again under a lock. That is quadratic, but right. Functions that look
// up one entry by name are in statics.cc.
#include "libc/libc_state.h"
#include "libc/signals.h"
#include "libc/statics.h"

#include <cerrno>
#include <cstring>
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pthread.h>
#include <pwd.h>
#include <shadow.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

namespace thrum {
namespace {

// The indices of StaticBuffers::enumeration_entry and positions.
enum Enumeration { Passwords, Groups, Services, Protocols, Hosts, Networks, Shadows, Logins };

pthread_mutex_t enumeration_lock = PTHREAD_MUTEX_INITIALIZER; // files are read under it

// Returns the entry that follows the rank's position, or nullptr at the end. start() rewinds the
// process's position; get(entry, buffer, size, found) reads the next entry. The memory grows until
// an entry fits, up to 16 MiB.
template <class Entry, class Start, class Get, class End>
Entry *next_entry(Enumeration which, Start start, Get get, End end) {
    StaticBuffers &statics = statics_of(current_libc());
    std::vector<char> &memory = statics.enumeration_entry[which];
    if (memory.empty())
        memory.resize(4096);
    SignalHold hold;
    ::pthread_mutex_lock(&enumeration_lock);
    start();
    Entry *found = nullptr;
    size_t seen = 0;
    while (seen <= statics.positions[which]) {
        auto *entry = reinterpret_cast<Entry *>(memory.data());
        int error =
            get(entry, memory.data() + sizeof(Entry), memory.size() - sizeof(Entry), &found);
        if (error == ERANGE && memory.size() < (16u << 20)) {
            memory.resize(memory.size() * 2);
            start(); // the entry that did not fit is lost: from the beginning
            seen = 0;
            continue;
        }
        if (error || !found) {
            found = nullptr;
            break;
        }
        ++seen;
    }
    end();
    ::pthread_mutex_unlock(&enumeration_lock);
    if (found)
        ++statics.positions[which];
    return found;
}

// setpwent(), endpwent() and related functions: the rank starts again.
template <Enumeration which>
void rewind_entries() {
    statics_of(current_libc()).positions[which] = 0;
}

// The same for setservent() and others with a parameter that says whether to keep the file open.
template <Enumeration which>
void rewind_entries_keeping_open(int) {
    rewind_entries<which>();
}

passwd *override_getpwent() {
    return next_entry<passwd>(
        Passwords, [] { ::setpwent(); },
        [](passwd *e, char *b, size_t n, passwd **found) { return ::getpwent_r(e, b, n, found); },
        [] { ::endpwent(); });
}

group *override_getgrent() {
    return next_entry<group>(
        Groups, [] { ::setgrent(); },
        [](group *e, char *b, size_t n, group **found) { return ::getgrent_r(e, b, n, found); },
        [] { ::endgrent(); });
}

servent *override_getservent() {
    return next_entry<servent>(
        Services, [] { ::setservent(1); },
        [](servent *e, char *b, size_t n, servent **found) {
            return ::getservent_r(e, b, n, found);
        },
        [] { ::endservent(); });
}

protoent *override_getprotoent() {
    return next_entry<protoent>(
        Protocols, [] { ::setprotoent(1); },
        [](protoent *e, char *b, size_t n, protoent **found) {
            return ::getprotoent_r(e, b, n, found);
        },
        [] { ::endprotoent(); });
}

hostent *override_gethostent() {
    return next_entry<hostent>(
        Hosts, [] { ::sethostent(1); },
        [](hostent *e, char *b, size_t n, hostent **found) {
            int error = 0;
            return ::gethostent_r(e, b, n, found, &error);
        },
        [] { ::endhostent(); });
}

netent *override_getnetent() {
    return next_entry<netent>(
        Networks, [] { ::setnetent(1); },
        [](netent *e, char *b, size_t n, netent **found) {
            int error = 0;
            return ::getnetent_r(e, b, n, found, &error);
        },
        [] { ::endnetent(); });
}

spwd *override_getspent() {
    return next_entry<spwd>(
        Shadows, [] { ::setspent(); },
        [](spwd *e, char *b, size_t n, spwd **found) { return ::getspent_r(e, b, n, found); },
        [] { ::endspent(); });
}

// struct utmpx is struct utmp by another name.
static_assert(sizeof(utmp) == sizeof(utmpx));

utmpx *override_getutxent() {
    return reinterpret_cast<utmpx *>(next_entry<utmp>(
        Logins, [] { ::setutent(); },
        [](utmp *e, char *, size_t, utmp **found) {
            return ::getutent_r(e, found) == 0 || !*found ? 0 : errno;
        },
        [] { ::endutent(); }));
}

bool is_process(const utmpx &entry) {
    return entry.ut_type >= INIT_PROCESS && entry.ut_type <= DEAD_PROCESS;
}

// Returns the next entry that is like `wanted`: of the same identifier for processes, of the same
// type for others.
utmpx *override_getutxid(const utmpx *wanted) {
    while (utmpx *entry = override_getutxent())
        if (is_process(*wanted) ? is_process(*entry) && !std::strncmp(entry->ut_id, wanted->ut_id,
                                                                      sizeof entry->ut_id)
                                : entry->ut_type == wanted->ut_type)
            return entry;
    return nullptr;
}

utmpx *override_getutxline(const utmpx *wanted) {
    while (utmpx *entry = override_getutxent())
        if ((entry->ut_type == LOGIN_PROCESS || entry->ut_type == USER_PROCESS) &&
            !std::strncmp(entry->ut_line, wanted->ut_line, sizeof entry->ut_line))
            return entry;
    return nullptr;
}

protoent *override_getprotobynumber(int number) {
    std::vector<char> &memory = statics_of(current_libc()).enumeration_entry[Protocols];
    if (memory.empty())
        memory.resize(4096);
    protoent *found = nullptr;
    ::getprotobynumber_r(number, reinterpret_cast<protoent *>(memory.data()),
                         memory.data() + sizeof(protoent), memory.size() - sizeof(protoent),
                         &found);
    return found;
}

mntent *override_getmntent(FILE *file) {
    std::vector<char> &memory = statics_of(current_libc()).mount_entry;
    if (memory.empty())
        memory.resize(sizeof(mntent) + 4096);
    return ::getmntent_r(file, reinterpret_cast<mntent *>(memory.data()),
                         memory.data() + sizeof(mntent),
                         static_cast<int>(memory.size() - sizeof(mntent)));
}

char *override_ctermid(char *buffer) {
    return ::ctermid(buffer ? buffer : statics_of(current_libc()).terminal_name);
}

char *override_ether_ntoa(const ether_addr *address) {
    return ::ether_ntoa_r(address, statics_of(current_libc()).terminal_name);
}

const FunctionOverride table[] = {
    OVERRIDE("getpwent", override_getpwent),
    OVERRIDE("setpwent", rewind_entries<Passwords>),
    OVERRIDE("endpwent", rewind_entries<Passwords>),
    OVERRIDE("getgrent", override_getgrent),
    OVERRIDE("setgrent", rewind_entries<Groups>),
    OVERRIDE("endgrent", rewind_entries<Groups>),
    OVERRIDE("getservent", override_getservent),
    OVERRIDE("setservent", rewind_entries_keeping_open<Services>),
    OVERRIDE("endservent", rewind_entries<Services>),
    OVERRIDE("getprotoent", override_getprotoent),
    OVERRIDE("setprotoent", rewind_entries_keeping_open<Protocols>),
    OVERRIDE("endprotoent", rewind_entries<Protocols>),
    OVERRIDE("gethostent", override_gethostent),
    OVERRIDE("sethostent", rewind_entries_keeping_open<Hosts>),
    OVERRIDE("endhostent", rewind_entries<Hosts>),
    OVERRIDE("getnetent", override_getnetent),
    OVERRIDE("setnetent", rewind_entries_keeping_open<Networks>),
    OVERRIDE("endnetent", rewind_entries<Networks>),
    OVERRIDE("getspent", override_getspent),
    OVERRIDE("setspent", rewind_entries<Shadows>),
    OVERRIDE("endspent", rewind_entries<Shadows>),
    OVERRIDE("getutxent", override_getutxent),
    OVERRIDE("getutxid", override_getutxid),
    OVERRIDE("getutxline", override_getutxline),
    OVERRIDE("setutxent", rewind_entries<Logins>),
    OVERRIDE("endutxent", rewind_entries<Logins>),
    OVERRIDE("getutent", override_getutxent),
    OVERRIDE("getutid", override_getutxid),
    OVERRIDE("getutline", override_getutxline),
    OVERRIDE("setutent", rewind_entries<Logins>),
    OVERRIDE("endutent", rewind_entries<Logins>),
    OVERRIDE("getprotobynumber", override_getprotobynumber),
    OVERRIDE("getmntent", override_getmntent),
    OVERRIDE("ctermid", override_ctermid),
    OVERRIDE("ether_ntoa", override_ether_ntoa),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
