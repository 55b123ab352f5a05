// Representation<kind>: the C++ type that represents a BasicKind, and the groups of kinds for which
// kernels are the same. The predicates rely on the order of BasicKind.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
__extension__ using Float128 = __float128;

// A complex number as two reals, as C and Fortran store it.
template <class Real>
struct ComplexOf {
    Real real, imaginary;
};

// void: no arithmetic.
template <BasicKind kind>
struct RepresentationOf {
    using type = void;
};

#define REPRESENTATION(kind, cxx_type)                                                             \
    template <>                                                                                    \
    struct RepresentationOf<BasicKind::kind> {                                                     \
        using type = cxx_type;                                                                     \
    };
REPRESENTATION(Int8, int8_t)
REPRESENTATION(Int16, int16_t)
REPRESENTATION(Int32, int32_t)
REPRESENTATION(Int64, int64_t)
REPRESENTATION(Int128, thrum::Int128)
REPRESENTATION(Uint8, uint8_t)
REPRESENTATION(Uint16, uint16_t)
REPRESENTATION(Uint32, uint32_t)
REPRESENTATION(Uint64, uint64_t)
REPRESENTATION(Float, float)
REPRESENTATION(Double, double)
REPRESENTATION(LongDouble, long double)
REPRESENTATION(Float128, thrum::Float128)
REPRESENTATION(ComplexFloat, ComplexOf<float>)
REPRESENTATION(ComplexDouble, ComplexOf<double>)
REPRESENTATION(ComplexLongDouble, ComplexOf<long double>)
REPRESENTATION(Complex128, ComplexOf<thrum::Float128>)
REPRESENTATION(Bool, uint8_t) // read as a number: a byte other than 0 and 1 is not a valid bool
REPRESENTATION(Logical8, int8_t)
REPRESENTATION(Logical16, int16_t)
REPRESENTATION(Logical32, int32_t)
REPRESENTATION(Logical64, int64_t)
REPRESENTATION(Logical128, thrum::Int128)
REPRESENTATION(Byte, uint8_t)
#undef REPRESENTATION

template <BasicKind kind>
using Representation = typename RepresentationOf<kind>::type;

// Return whether a kind is in a group; unsigned integers are integers, too.
constexpr bool is_signed_integer(BasicKind kind) {
    return kind >= BasicKind::Int8 && kind <= BasicKind::Int128;
}

constexpr bool is_integer(BasicKind kind) {
    return kind >= BasicKind::Int8 && kind <= BasicKind::Uint64;
}

constexpr bool is_real(BasicKind kind) {
    return kind >= BasicKind::Float && kind <= BasicKind::Float128;
}

constexpr bool is_complex(BasicKind kind) {
    return kind >= BasicKind::ComplexFloat && kind <= BasicKind::Complex128;
}

constexpr bool is_logical(BasicKind kind) {
    return kind >= BasicKind::Bool && kind <= BasicKind::Logical128;
}

} // namespace thrum
