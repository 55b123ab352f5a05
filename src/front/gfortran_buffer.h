// The descriptor by which gfortran passes an array to a procedure without BIND(C) (libgfortran.h of
// GCC 8 and later: gfc_array_void). MPICH's module mpi_f08 passes choice buffers so.
#pragma once
#include "fortran/section.h"

#include <cstddef>
#include <cstdint>

namespace thrum::front {

struct GfortranBuffer {
    static constexpr int rank_max = 15;

    // A dimension: elements `stride` spans apart, numbered from lower_bound to upper_bound.
    struct Dimension {
        ptrdiff_t stride, lower_bound, upper_bound;
    };

    void *base;
    size_t offset;
    size_t element_bytes;
    int version;
    int8_t rank, type;
    int16_t attribute;
    ptrdiff_t span_bytes;
    Dimension dimensions[rank_max];
};

// The descriptor that section.h knows, of one of gfortran's.
class ConvertedBuffer {
public:
    explicit ConvertedBuffer(const GfortranBuffer &buffer) {
        auto &its = *new (memory_) FortranBuffer;
        its.base = buffer.base;
        its.element_bytes = buffer.element_bytes;
        its.rank = buffer.rank;
        for (int i = 0; i < buffer.rank; ++i) {
            const auto [stride, lower_bound, upper_bound] = buffer.dimensions[i];
            its.dimensions[i] = {lower_bound, upper_bound - lower_bound + 1,
                                 stride * buffer.span_bytes};
        }
    }

    const FortranBuffer *get() const { return reinterpret_cast<const FortranBuffer *>(memory_); }

private:
    alignas(FortranBuffer) char memory_[sizeof(FortranBuffer) +
                                        GfortranBuffer::rank_max * sizeof(FortranDimension)];
};

// A section with the descriptor that it refers to.
struct ConvertedSection : private ConvertedBuffer, fortran::Section {
    ConvertedSection(const GfortranBuffer &buffer, void *its_address)
        : ConvertedBuffer(buffer), Section{get(), its_address} {}
};

} // namespace thrum::front
