// The checks and the messages of refusals (refuse.h). elf_check.cc makes some of the checks for
// mpiexec, before anything is started.
#include "image/refuse.h"

#include "base/spinlock.h"
#include "image/foreign_mpi.h"
#include "image/image.h"
#include "image/sharing.h"
#include "image/symbol.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace thrum {
namespace {

Unsuitable find_unsuitable_segment(const Object &object) {
    for (const ElfW(Phdr) & p : object.headers) {
        if (p.p_type != PT_LOAD)
            continue;
        if ((p.p_flags & PF_W) && (p.p_flags & PF_X))
            return {"has a segment that is both writable and executable",
                    "Relink it without -N (--omagic) and without a linker script that joins text "
                    "and data"};
        if (!(p.p_flags & PF_R))
            return {"has a segment that cannot be read", "Relink it without execute-only text"};
    }
    return {};
}

// ld.so runs one constructor before all others: that of the last object that is linked with -z
// initfirst. It must be libmpi's.
void check_first_constructor() {
    bool seen_libmpi = false;
    for (const Object &object : objects()) {
        if (object.is_libmpi)
            seen_libmpi = true;
        else if (seen_libmpi && object.is_init_first)
            refuse(object,
                   "is linked with -z initfirst, so that its constructors run before libmpi's",
                   "Relink it without -z initfirst");
    }
}

// Returns whether the object contains a sanitizer's run time. Each rank would have a copy of it,
// with its own idea of the process.
bool holds_sanitizer_runtime(const Object &object) {
    for (const char *name : {"__asan_init", "__hwasan_init", "__tsan_init", "__msan_init"})
        if (find_in_object(object, name, nullptr))
            return true;
    return false;
}

// Returns the number in a file of /proc, or -1.
long read_number(const char *path) {
    char text[32] = "";
    int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = ::read(fd, text, sizeof text - 1);
    ::close(fd);
    return n > 0 ? std::atol(text) : -1;
}

constexpr const char *limit_path = "/proc/sys/vm/max_map_count";
long wanted_mappings = 0; // by all images together; for messages

// Returns a power of two of at least twice the wanted mappings.
long suggested_limit() {
    long suggestion = 1 << 20;
    while (suggestion < 2 * wanted_mappings)
        suggestion *= 2;
    return suggestion;
}

} // namespace

void refuse(const Object &object, const char *reason, const char *remedy) {
    die(refusal_exit_code,
        "%s cannot run as several ranks of one process: it %s. %s; one rank (-n 1) always works.",
        object.path, reason, remedy);
}

Unsuitable find_unsuitable(const Object &object) {
    // A position-dependent executable is the only object that ld.so loads without moving it.
    if (object.is_executable && object.bias == 0)
        return {"is not position-independent",
                "Compile with -fPIE and link with -pie (the compiler's default), without -no-pie"};
    if (object.has_text_relocations)
        return {"has text relocations (DT_TEXTREL)", "Compile all its objects with -fPIC"};
    if (!object.symbols || !object.strings || !object.dynamic)
        return {"has no dynamic symbol table", "Relink it without removing .dynsym"};
    if (holds_sanitizer_runtime(object))
        return {"contains a sanitizer's run time, of which a process must have only one",
                "Link it without -static-libasan and the like; with clang, add -shared-libsan"};
    return find_unsuitable_segment(object);
}

void refuse_unsuitable_object(const Object &object) {
    if (Unsuitable why = find_unsuitable(object); why.reason)
        refuse(object, why.reason, why.remedy);
}

void refuse_unsuitable_objects() {
    for (const Object &object : objects())
        if (object.is_private())
            refuse_unsuitable_object(object);
    check_first_constructor();
}

void refuse_too_many_mappings(long ranks, const MappingDemand *demands, size_t count,
                              const char *why_cloned) {
    constexpr long mappings_for_the_rest = 500; // libraries, stacks, heaps
    wanted_mappings = mappings_for_the_rest;
    for (size_t i = 0; i < count; ++i)
        wanted_mappings += demands[i].images * demands[i].mappings_per_image;
    long limit = read_number(limit_path);
    if (limit < 0 || wanted_mappings <= limit)
        return;
    char parts[512] = ""; // "2 for each rank of ./a, 4 for each of ./b"
    size_t length = 0;
    for (size_t i = 0; i < count && length + 1 < sizeof parts; ++i) {
        int n = std::snprintf(parts + length, sizeof parts - length, "%s%ld for each%s of %s",
                              i ? ", " : "", demands[i].mappings_per_image, i ? "" : " rank",
                              base_name(demands[i].path));
        length += n > 0 ? static_cast<size_t>(n) : 0;
    }
    char most[64] = "";
    if (count == 1)
        std::snprintf(most, sizeof most, ", enough for %ld ranks",
                      (limit - mappings_for_the_rest) / demands[0].mappings_per_image + 1);
    die(refusal_exit_code,
        "%ld ranks need about %ld memory mappings (%s), but a process may have only %ld "
        "(vm.max_map_count)%s. Raise the limit: sudo sysctl -w vm.max_map_count=%ld, or compile "
        "with --privatize, which needs none%s%s",
        ranks, wanted_mappings, parts, limit, most, suggested_limit(),
        why_cloned ? "; it is cloned because " : "", why_cloned ? why_cloned : "");
}

void die_of_mapping(int image_number, int error) {
    if (error == ENOMEM)
        die(refusal_exit_code,
            "rank %d of %s: the kernel refuses another memory mapping; a process may have only "
            "%ld. Raise the limit: sudo sysctl -w vm.max_map_count=%ld",
            image_number, objects()[0].path, read_number(limit_path), suggested_limit());
    die(refusal_exit_code, "rank %d of %s: cannot map its image: %s", image_number,
        objects()[0].path, std::strerror(error));
}

void refuse_foreign_mpi() {
    // The lock is held for the whole look: other ranks wait, as none may begin beside a foreign
    // library.
    static SpinLock lock; // guards is_known, and is held for the one look
    static bool is_known = false;
    LockGuard guard(lock);
    if (is_known)
        return;
    is_known = true;
    Objects list;
    scan_objects_into(list, nullptr);
    for (const Object &object : list)
        if (const char *mpi = foreign_mpi_of(object.path))
            die(refusal_exit_code,
                "this process has loaded %s, the library of %s, whose binary interface differs "
                "from Thrum's: compile what needs it with Thrum's mpicc, mpicxx or mpifort, or use "
                "a build for the MPI standard ABI (libmpi_abi.so.1)",
                object.path, mpi);
    list.release();
    const NeededMpi needed = mpi_needed_by_program();
    if (needed.libmpi && needed.front)
        die(refusal_exit_code,
            "this program and its libraries need both libmpi_abi.so.1 and %s: the functions of "
            "both have the same names, so a process can use only one",
            base_name(needed.front->c));
}

} // namespace thrum
