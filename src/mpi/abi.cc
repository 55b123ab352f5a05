// The queries of a program about the ABI, and the settings of a Fortran binding (MPI 5.0 chapter
// 20). The ranks of a process run code of the same compiler, so what one of them sets is valid for
// all.
#include "base/spinlock.h"
#include "datatype/predefined.h"
#include "entry/calls.h"
#include "entry/entry.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

namespace thrum::mpi {
namespace {

constexpr int logical_bytes_max = 16; // LOGICAL(KIND=16), the largest that compilers offer

// The booleans of the program's Fortran compiler.
struct FortranBooleans {
    SpinLock lock;                    // guards everything here
    int size_bytes = 0;               // size of LOGICAL; 0: not set
    char yes[logical_bytes_max] = {}; // bytes of .TRUE.; the first `size_bytes` count
    char no[logical_bytes_max] = {};
};

constinit FortranBooleans booleans;

// The info object about Fortran types, shared by all ranks. The program always gets a copy.
struct FortranInfo {
    SpinLock lock; // guards `info`
    Info *info = nullptr;
};

constinit FortranInfo fortran;

// Reads a size, if the info has it. Returns false if the value is no number.
bool read_size(const Info &info, const char *key, int &size_bytes) {
    const std::string *value = info.get(key);
    if (!value)
        return true;
    const char *end = value->data() + value->size();
    const auto [parsed, code] = std::from_chars(value->data(), end, size_bytes);
    return code == std::errc() && parsed == end;
}

} // namespace

Error abi_get_version(int *abi_major, int *abi_minor) {
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
    return success;
}

// The sizes of the three integer types that C programs of the ABI share.
Error abi_get_info(MPI_Info *info) {
    Info *sizes = new_info();
    sizes->set("mpi_aint_size", std::to_string(sizeof(MPI_Aint)).c_str());
    sizes->set("mpi_count_size", std::to_string(sizeof(MPI_Count)).c_str());
    sizes->set("mpi_offset_size", std::to_string(sizeof(MPI_Offset)).c_str());
    *info = sizes;
    return success;
}

// Section 20.5 lets the booleans be set only once. Every rank's Fortran start does so, so setting
// the same values again succeeds.
Error abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false) {
    if (logical_size < 1 || logical_size > logical_bytes_max)
        return fail(MPI_ERR_ARG, "logical_size is %d, but must be 1 to %d", logical_size,
                    logical_bytes_max);
    if (!logical_true || !logical_false)
        return arg::null_pointer(logical_true ? "logical_false" : "logical_true");
    auto bytes = static_cast<size_t>(logical_size);
    LockGuard guard(booleans.lock);
    if (booleans.size_bytes == 0) {
        std::memcpy(booleans.yes, logical_true, bytes);
        std::memcpy(booleans.no, logical_false, bytes);
        booleans.size_bytes = logical_size;
        return success;
    }
    bool same = booleans.size_bytes == logical_size &&
                !std::memcmp(booleans.yes, logical_true, bytes) &&
                !std::memcmp(booleans.no, logical_false, bytes);
    return same ? success
                : fail(MPI_ERR_ABI, "the Fortran booleans are already set, to other values");
}

// `is_set` is false, and nothing else is stored, until a Fortran program has set them.
Error abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false,
                               int *is_set) {
    LockGuard guard(booleans.lock);
    *is_set = booleans.size_bytes != 0;
    if (!*is_set)
        return success;
    if (logical_size != booleans.size_bytes)
        return fail(MPI_ERR_ARG, "logical_size is %d, but LOGICAL has %d bytes", logical_size,
                    booleans.size_bytes);
    std::memcpy(logical_true, booleans.yes, static_cast<size_t>(logical_size));
    std::memcpy(logical_false, booleans.no, static_cast<size_t>(logical_size));
    return success;
}

// As for the booleans, the same entries again are accepted: each rank may set them. A rank uses the
// datatypes, whose sizes these are, after it has set them or seen that another has.
Error abi_set_fortran_info(Info *info) {
    if (!info)
        return fail(MPI_ERR_INFO, "info is MPI_INFO_NULL");
    LockGuard guard(fortran.lock);
    if (!fortran.info) {
        FortranSizes sizes;
        if (!read_size(*info, "mpi_logical_size", sizes.logical) ||
            !read_size(*info, "mpi_integer_size", sizes.integer) ||
            !read_size(*info, "mpi_real_size", sizes.real) ||
            !read_size(*info, "mpi_double_precision_size", sizes.double_precision) ||
            !set_fortran_sizes(sizes))
            return fail(MPI_ERR_INFO_VALUE,
                        "the sizes of LOGICAL, INTEGER and REAL must be 4 or 8, "
                        "that of DOUBLE PRECISION 8 or 16");
        fortran.info = copy_info(*info);
        return success;
    }
    return fortran.info->entries == info->entries
               ? success
               : fail(MPI_ERR_ABI, "the Fortran info is already set, to other values");
}

// The program gets a copy, which it frees.
Error abi_get_fortran_info(MPI_Info *info) {
    LockGuard guard(fortran.lock);
    *info = fortran.info ? copy_info(*fortran.info) : MPI_INFO_NULL;
    return success;
}

} // namespace thrum::mpi
