// The closed list of shared libraries; everything that is not on it is private. A library is on it
//
// - because a process can have only one: the C library, ld.so, a sanitizer's run time, an
//   allocator;
// - because the unwinder keeps its process-wide tables in it: libgcc_s;
// - because it has no variables: libm, libquadmath;
// - or because it owns hardware or works for libmpi.
//
// libstdc++, libgfortran and libgomp must not be on it: shared iostreams or Fortran units of
// different ranks would collide.
#include "image/sharing.h"

#include "image/foreign_mpi.h"

#include <cstring>

namespace thrum {
namespace {

struct SharedName {
    const char *prefix; // of the file's name
    Sharing sharing;
};

constexpr SharedName shared_names[] = {
    {"ld-linux", Sharing::CLibrary},
    {"ld.so", Sharing::CLibrary},
    {"linux-vdso", Sharing::CLibrary},
    {"libc.so", Sharing::CLibrary},
    {"libm.so", Sharing::CLibrary},
    {"libmvec.so", Sharing::CLibrary},
    {"libpthread.so", Sharing::CLibrary},
    {"libdl.so", Sharing::CLibrary},
    {"librt.so", Sharing::CLibrary},
    {"libutil.so", Sharing::CLibrary},
    {"libresolv.so", Sharing::CLibrary},
    {"libnsl.so", Sharing::CLibrary},
    {"libnss_", Sharing::CLibrary},
    {"libanl.so", Sharing::CLibrary},
    {"libthread_db", Sharing::CLibrary},
    {"libgcc_s.so", Sharing::CLibrary},
    {"libquadmath.so", Sharing::CLibrary},
    {"vgpreload_", Sharing::CLibrary},
    {"libjemalloc", Sharing::CLibrary},
    {"libtcmalloc", Sharing::CLibrary},
    {"libmimalloc", Sharing::CLibrary},
    {"libmpi_abi.so", Sharing::Infrastructure},
    {room_library_prefix, Sharing::Infrastructure},
    {"libfabric.so", Sharing::Infrastructure},
    {"libpmix.so", Sharing::Infrastructure},
    {"libhwloc.so", Sharing::Infrastructure},
    {"libnuma.so", Sharing::Infrastructure},
    {"libibverbs", Sharing::Infrastructure},
    {"librdmacm", Sharing::Infrastructure},
    {"libefa", Sharing::Infrastructure},
    {"libpsm", Sharing::Infrastructure},
    {"libucp.so", Sharing::Infrastructure},
    {"libuct.so", Sharing::Infrastructure},
    {"libucs.so", Sharing::Infrastructure},
    {"libucm.so", Sharing::Infrastructure},
    {"libcuda", Sharing::Infrastructure},
    {"libnvidia", Sharing::Infrastructure},
    {"libhsa-runtime", Sharing::Infrastructure},
    {"libamdhip", Sharing::Infrastructure},
    {"libze_", Sharing::Infrastructure},
    {"libOpenCL", Sharing::Infrastructure},
};

constexpr const char *sanitizer_prefixes[] = {"libasan.so", "libhwasan.so", "liblsan.so",
                                              "libtsan.so", "libubsan.so",  "libclang_rt."};

bool starts_with(const char *text, const char *prefix, size_t length) {
    return length > 0 && !std::strncmp(text, prefix, length);
}

} // namespace

const char *base_name(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool is_sanitizer_runtime(const char *path) {
    for (const char *prefix : sanitizer_prefixes)
        if (starts_with(base_name(path), prefix, std::strlen(prefix)))
            return true;
    return false;
}

Sharing sharing_of(const char *path, const char *shared_list) {
    const char *name = base_name(path);
    for (const SharedName &s : shared_names)
        if (starts_with(name, s.prefix, std::strlen(s.prefix)))
            return s.sharing;
    if (is_front(path)) // it has no variables
        return Sharing::Infrastructure;
    if (is_sanitizer_runtime(path))
        return Sharing::CLibrary;
    // The user's list comes last: no list can make the C library private.
    for (const char *p = shared_list; p && *p;) {
        size_t length = std::strcspn(p, ":");
        if (starts_with(name, p, length))
            return Sharing::CLibrary;
        p += length + (p[length] == ':');
    }
    return Sharing::Private;
}

} // namespace thrum
