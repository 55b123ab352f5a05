// CountArray: an array argument of counts or displacements (MPI 5.0 section 2.5.8: int, MPI_Aint or
// MPI_Count).
#pragma once
#include "datatype/datatype.h"

namespace thrum {

static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count)); // so both can be read as one array type

// An array of counts as the caller passed it, int[] or MPI_Count[]. It makes no widened copy: each
// access decides by a flag. Owns nothing.
class CountArray {
public:
    CountArray() : counts_(nullptr), wide_(false) {}

    CountArray(const int *counts) : counts_(counts), wide_(false) {}

    CountArray(const MPI_Count *counts) : counts_(counts), wide_(true) {}

    Count operator[](size_t i) const {
        return wide_ ? static_cast<const MPI_Count *>(counts_)[i]
                     : static_cast<const int *>(counts_)[i];
    }

    explicit operator bool() const { return counts_ != nullptr; }

private:
    const void *counts_;
    bool wide_;
};

} // namespace thrum
