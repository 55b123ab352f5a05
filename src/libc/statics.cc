// Functions that return a pointer into a static buffer, or remember something between calls: each
// rank has its own memory for them.
//
// Each override calls the reentrant form of its function (getpwnam_r for getpwnam) on the rank's
// StaticBuffers. strerror, strsignal and inet_ntoa are not here: glibc has made them thread-local,
// and each fiber has its own thread-local storage. Enumerations are in databases.cc.
#include "libc/statics.h"

#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <cwchar>
#include <grp.h>
#include <libgen.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <unistd.h>

namespace thrum {
namespace {

// A rank's StaticBuffers, which the first call of get() makes. Two threads of a rank may call it at
// once: the one whose exchange fails deletes what it has made.
class BuffersOnUse {
public:
    ~BuffersOnUse() { delete buffers_.load(std::memory_order_relaxed); }

    StaticBuffers &get() {
        StaticBuffers *present = buffers_.load(std::memory_order_acquire); // [statics-1]
        if (present)
            return *present;
        auto *made = new StaticBuffers;
        // release [statics-1]: they are empty, and complete.
        if (buffers_.compare_exchange_strong(present, made, std::memory_order_acq_rel))
            return *made;
        delete made;
        return *present;
    }

private:
    std::atomic<StaticBuffers *> buffers_{nullptr};
};

LIBC_STATE(BuffersOnUse, buffers_of)

char *override_strtok(char *text, const char *delimiters) {
    return strtok_r(text, delimiters, &statics_of(current_libc()).strtok_rest);
}

// The indices of StaticBuffers::database_entry. POSIX lets functions of a kind share a buffer.
enum Database { Passwords, Groups, Hosts, Services, Protocols, Networks };

// Calls `get(buffer, size, result)` with more and more memory until the entry fits, up to 16 MiB.
// `Entry` itself lives at the beginning of the memory. Returns nullptr if there is no entry, with
// errno set if `get` has failed.
template <class Entry, class Get>
Entry *database_entry(Database database, Get get) {
    std::vector<char> &memory = statics_of(current_libc()).database_entry[database];
    if (memory.empty())
        memory.resize(1024);
    for (;;) {
        auto *entry = reinterpret_cast<Entry *>(memory.data());
        Entry *found = nullptr;
        int error =
            get(entry, memory.data() + sizeof(Entry), memory.size() - sizeof(Entry), &found);
        // ERANGE: the entry does not fit. The limit ends the loop for a function that never says
        // anything else.
        if (error != ERANGE || memory.size() > (16u << 20)) {
            if (error)
                errno = error;
            return found;
        }
        memory.resize(memory.size() * 2);
    }
}

passwd *override_getpwnam(const char *name) {
    return database_entry<passwd>(Passwords, [=](passwd *e, char *b, size_t n, passwd **found) {
        return getpwnam_r(name, e, b, n, found);
    });
}

passwd *override_getpwuid(uid_t id) {
    return database_entry<passwd>(Passwords, [=](passwd *e, char *b, size_t n, passwd **found) {
        return getpwuid_r(id, e, b, n, found);
    });
}

group *override_getgrnam(const char *name) {
    return database_entry<group>(Groups, [=](group *e, char *b, size_t n, group **found) {
        return getgrnam_r(name, e, b, n, found);
    });
}

group *override_getgrgid(gid_t id) {
    return database_entry<group>(Groups, [=](group *e, char *b, size_t n, group **found) {
        return getgrgid_r(id, e, b, n, found);
    });
}

hostent *override_gethostbyname(const char *name) {
    return database_entry<hostent>(Hosts, [=](hostent *e, char *b, size_t n, hostent **found) {
        return gethostbyname_r(name, e, b, n, found, &h_errno);
    });
}

hostent *override_gethostbyname2(const char *name, int family) {
    return database_entry<hostent>(Hosts, [=](hostent *e, char *b, size_t n, hostent **found) {
        return gethostbyname2_r(name, family, e, b, n, found, &h_errno);
    });
}

hostent *override_gethostbyaddr(const void *address, socklen_t length, int family) {
    return database_entry<hostent>(Hosts, [=](hostent *e, char *b, size_t n, hostent **found) {
        return gethostbyaddr_r(address, length, family, e, b, n, found, &h_errno);
    });
}

servent *override_getservbyname(const char *name, const char *protocol) {
    return database_entry<servent>(Services, [=](servent *e, char *b, size_t n, servent **found) {
        return getservbyname_r(name, protocol, e, b, n, found);
    });
}

servent *override_getservbyport(int port, const char *protocol) {
    return database_entry<servent>(Services, [=](servent *e, char *b, size_t n, servent **found) {
        return getservbyport_r(port, protocol, e, b, n, found);
    });
}

protoent *override_getprotobyname(const char *name) {
    return database_entry<protoent>(Protocols,
                                    [=](protoent *e, char *b, size_t n, protoent **found) {
                                        return getprotobyname_r(name, e, b, n, found);
                                    });
}

// Returns the rank's name buffer after `get(buffer, capacity)` has filled it in. nullptr if it
// returns an error; an error above 0 becomes errno.
template <class Get>
char *static_name(size_t capacity, Get get) {
    std::string &name = statics_of(current_libc()).name;
    name.resize(capacity);
    int error = get(name.data(), capacity);
    if (error > 0)
        errno = error;
    return error ? nullptr : name.data();
}

char *override_ttyname(int descriptor) {
    int real = real_descriptor(descriptor);
    return static_name(256, [=](char *b, size_t n) { return ttyname_r(real, b, n); });
}

char *override_ptsname(int descriptor) {
    return static_name(256, [=](char *b, size_t n) { return ptsname_r(descriptor, b, n); });
}

char *override_getlogin() {
    return static_name(256, [](char *b, size_t n) { return getlogin_r(b, n); });
}

// Makes a name that no file has at this moment. glibc's own tmpnam() is not called, because the
// linker would warn of libmpi.
char *override_tmpnam(char *buffer) {
    static std::atomic<unsigned> counter{0};
    auto make_name = [](char *b, size_t) {
        for (int attempt = 0; attempt < TMP_MAX; ++attempt) {
            unsigned number = counter.fetch_add(1, std::memory_order_relaxed);
            std::snprintf(b, L_tmpnam, P_tmpdir "/f%06x%06x",
                          static_cast<unsigned>(::getpid()) & 0xffffff, number & 0xffffff);
            if (::access(b, F_OK) != 0)
                return 0;
        }
        return -1;
    };
    if (buffer)
        return make_name(buffer, L_tmpnam) == 0 ? buffer : nullptr;
    return static_name(L_tmpnam, make_name);
}

// glibc has no reentrant form. The digits are those of POSIX, the lowest first; only 32 bits count.
char *override_l64a(long value) {
    constexpr char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return static_name(8, [=](char *b, size_t) {
        auto rest = static_cast<uint32_t>(value);
        for (; rest; rest >>= 6)
            *b++ = digits[rest & 63];
        *b = 0;
        return 0;
    });
}

constexpr size_t number_bytes_max = 512; // of a double's text with all its digits

char *override_ecvt(double value, int digits, int *point, int *sign) {
    return static_name(number_bytes_max,
                       [=](char *b, size_t n) { return ecvt_r(value, digits, point, sign, b, n); });
}

char *override_fcvt(double value, int digits, int *point, int *sign) {
    return static_name(number_bytes_max,
                       [=](char *b, size_t n) { return fcvt_r(value, digits, point, sign, b, n); });
}

// Returns the rank's table for hsearch(), zeroed before hcreate_r() as that asks.
hsearch_data &hash_table() {
    static_assert(sizeof(hsearch_data) <= 32);
    std::vector<char> &memory = statics_of(current_libc()).hash_table;
    if (memory.empty())
        memory.resize(sizeof(hsearch_data));
    return *reinterpret_cast<hsearch_data *>(memory.data());
}

int override_hcreate(size_t count) {
    return hcreate_r(count, &hash_table());
}

void override_hdestroy() {
    hdestroy_r(&hash_table());
}

ENTRY *override_hsearch(ENTRY item, ACTION action) {
    ENTRY *found = nullptr;
    hsearch_r(item, action, &found, &hash_table());
    return found;
}

// Sets `signgam` of the rank, of which a clone may have a COPY.
double override_lgamma(double x) {
    return lgamma_r(x, current_libc().bound.sign_of_gamma);
}

float override_lgammaf(float x) {
    return lgammaf_r(x, current_libc().bound.sign_of_gamma);
}

long double override_lgammal(long double x) {
    return lgammal_r(x, current_libc().bound.sign_of_gamma);
}

const FunctionOverride table[] = {
    OVERRIDE("strtok", override_strtok),
    OVERRIDE("getpwnam", override_getpwnam),
    OVERRIDE("getpwuid", override_getpwuid),
    OVERRIDE("getgrnam", override_getgrnam),
    OVERRIDE("getgrgid", override_getgrgid),
    OVERRIDE("gethostbyname", override_gethostbyname),
    OVERRIDE("gethostbyname2", override_gethostbyname2),
    OVERRIDE("gethostbyaddr", override_gethostbyaddr),
    OVERRIDE("getservbyname", override_getservbyname),
    OVERRIDE("getservbyport", override_getservbyport),
    OVERRIDE("getprotobyname", override_getprotobyname),
    OVERRIDE("ttyname", override_ttyname),
    OVERRIDE("ptsname", override_ptsname),
    OVERRIDE("getlogin", override_getlogin),
    OVERRIDE("tmpnam", override_tmpnam),
    OVERRIDE("l64a", override_l64a),
    OVERRIDE("ecvt", override_ecvt),
    OVERRIDE("fcvt", override_fcvt),
    OVERRIDE("hcreate", override_hcreate),
    OVERRIDE("hdestroy", override_hdestroy),
    OVERRIDE("hsearch", override_hsearch),
    OVERRIDE("lgamma", override_lgamma),
    OVERRIDE("lgammaf", override_lgammaf),
    OVERRIDE("lgammal", override_lgammal),
    OVERRIDE("gamma", override_lgamma),
    OVERRIDE("gammaf", override_lgammaf),
    OVERRIDE("gammal", override_lgammal),
};

} // namespace

LIBC_FUNCTIONS(table);

// Allocated on use: half a KiB that most ranks do without.
StaticBuffers &statics_of(LibcState &state) {
    return buffers_of(state).get();
}

} // namespace thrum
