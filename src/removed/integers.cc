#include "removed/integers.h"

#include "base/extension.h"
#include "base/spinlock.h"
#include "comm/process.h"
#include "entry/tolerance.h"
#include "removed/datatypes.h"

#include <algorithm>
#include <climits>

namespace thrum::removed {
namespace {

// The addresses that a rank has got from MPI_ADDRESS: the lowest and the highest.
struct AddressRange {
    SpinLock lock; // guards the others, which any thread of the rank writes
    uintptr_t lowest = UINTPTR_MAX, highest = 0;
};

const Extension<Process, AddressRange> address_ranges;

// Notes an address. Sets `other` to an address of the rank from which it differs by more than
// INTEGER can hold, or returns false.
bool is_far(uintptr_t address, uintptr_t &other) {
    AddressRange &range = address_ranges.of(current_process()).get_or_make();
    LockGuard guard(range.lock);
    range.lowest = std::min(range.lowest, address);
    range.highest = std::max(range.highest, address);
    other = address - range.lowest > range.highest - address ? range.lowest : range.highest;
    return std::max(address, other) - std::min(address, other) > INT_MAX;
}

// Stores a bound, which is refused where it does not fit: nothing of it would be right.
Error store(const char *name, MPI_Aint value, MPI_Fint *place) {
    if (value < INT_MIN || value > INT_MAX)
        return fail(MPI_ERR_VALUE_TOO_LARGE,
                    "the %s is %lld, which does not fit an INTEGER: call MPI_TYPE_GET_EXTENT", name,
                    static_cast<long long>(value));
    *place = static_cast<MPI_Fint>(value);
    return success;
}

} // namespace

Error integer_address(const void *location, MPI_Fint *address) {
    const auto whole = reinterpret_cast<uintptr_t>(location);
    uintptr_t other = 0;
    if (is_far(whole, other) && !is_tolerated(Tolerance::DistantAddresses))
        if (Error error = tolerate(
                Tolerance::DistantAddresses,
                fail(MPI_ERR_VALUE_TOO_LARGE,
                     "MPI_ADDRESS returns an INTEGER, which cannot hold the difference of this "
                     "address (%#lx) and an earlier one (%#lx): use MPI_GET_ADDRESS",
                     whole, other)))
            return error;
    *address = static_cast<MPI_Fint>(whole);
    return success;
}

Error integer_extent(Datatype &datatype, MPI_Fint *extent) {
    return store("extent", datatype.extent, extent);
}

Error integer_lb(Datatype &datatype, MPI_Fint *displacement) {
    return store("lower bound", datatype.lower_bound, displacement);
}

Error integer_ub(Datatype &datatype, MPI_Fint *displacement) {
    return store("upper bound", datatype.lower_bound + datatype.extent, displacement);
}

} // namespace thrum::removed
