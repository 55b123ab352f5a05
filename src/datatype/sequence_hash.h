// The numbers of which signatures consist (signature.h): bits, and the hash of a sequence.
#pragma once
#include <cstdint>

namespace thrum {

// Which differences count.
enum class TypeRules : uint8_t { Usual, Standard };

// Bits of Datatype::wildcards: basic types that match others.
inline constexpr uint8_t contains_byte = 1;
inline constexpr uint8_t contains_packed = 2;
// Bit of Datatype::signature: the other bits are a hash, not the code of one basic type.
inline constexpr uint32_t mixed_signature = 0x80000000;

// Arithmetic of the hash of a sequence: the sum of code * radix^(number of elements behind it).
namespace sequence_hash {

inline constexpr uint64_t modulus = (uint64_t{1} << 61) - 1;
inline constexpr uint64_t radix = 1'402'946'153'702'948'973; // random

constexpr uint64_t multiply(uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    const uint64_t sum =
        (static_cast<uint64_t>(product) & modulus) + static_cast<uint64_t>(product >> 61);
    return sum >= modulus ? sum - modulus : sum;
}

constexpr uint64_t add(uint64_t a, uint64_t b) {
    return a + b >= modulus ? a + b - modulus : a + b;
}

// Returns radix^exponent.
constexpr uint64_t power(uint64_t exponent) {
    uint64_t result = 1;
    for (uint64_t square = radix; exponent; exponent >>= 1, square = multiply(square, square))
        if (exponent & 1)
            result = multiply(result, square);
    return result;
}

// Returns the hash of a sequence followed by another one of `length` elements.
constexpr uint64_t join(uint64_t first, uint64_t second, uint64_t length) {
    return add(multiply(first, power(length)), second);
}

// Returns the hash of `copies` times a sequence of `length` elements. Goes through the bits of
// `copies` from the highest. `sum` is 1 + x + ... + x^(n-1) for the n that
// the bits so far make, where x is radix^length, and `power_n` is x^n.
constexpr uint64_t repeat(uint64_t hash, uint64_t length, uint64_t copies) {
    if (copies == 1)
        return hash;
    const uint64_t x = power(length);
    uint64_t sum = 0, power_n = 1;
    for (int bit = 63 - (copies ? __builtin_clzll(copies) : 63); bit >= 0; --bit) {
        sum = multiply(sum, add(power_n, 1));
        power_n = multiply(power_n, power_n);
        if (copies >> bit & 1) {
            sum = add(multiply(sum, x), 1);
            power_n = multiply(power_n, x);
        }
    }
    return multiply(hash, sum);
}

} // namespace sequence_hash

// Returns the 31-bit word of a mixed sequence from its hash.
constexpr uint32_t word_of_hash(uint64_t hash) {
    return mixed_signature | static_cast<uint32_t>(hash ^ hash >> 30);
}

// Returns the bits of Datatype::wildcards that make a datatype match everything.
constexpr uint8_t matching_wildcards(TypeRules rules) {
    return rules == TypeRules::Usual ? contains_byte | contains_packed : contains_packed;
}

} // namespace thrum
