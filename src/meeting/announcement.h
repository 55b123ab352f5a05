// Announcement: what a member declares that it does, to be compared with what the others declare.
#pragma once
#include "meeting/collective.h"

#include <cstdint>

namespace thrum {

// A member's declaration and the member's number, in one word so that it can be compared and
// swapped atomically: collective 6 bits, phase 2, operation 8, root + 1 in 24 (0: not compared),
// member 24. In the place of a root MPI_Reduce_scatter has a hash of its counts, which is larger
// than any root.
struct Announcement {
    static constexpr int programs_operation = 255; // of a reduction; else 1 + Op::kind, or 0

    static uint64_t make(Collective collective, int phase = 0, int operation = 0, int root = -1) {
        return static_cast<uint64_t>(collective) << 58 | static_cast<uint64_t>(phase & 3) << 56 |
               static_cast<uint64_t>(operation & 255) << 48 |
               static_cast<uint64_t>((root + 1) & 0xffffff) << 24;
    }

    // Returns the declaration with the member's number.
    static uint64_t signed_by(uint64_t what, int member) {
        return (what & ~uint64_t{0xffffff}) | static_cast<unsigned>(member);
    }

    // Reduces an announcement to the bits that are compared between processes: everything but the
    // member, and only the low bits of a root.
    static uint32_t abbreviate(uint64_t word) {
        return static_cast<uint32_t>(word >> 48 << 16 | (word >> 24 & 0xffff));
    }

    // Makes an announcement of its abbreviation, without a member.
    static uint64_t restore(uint32_t said) {
        return uint64_t{said} >> 16 << 48 | (uint64_t{said} & 0xffff) << 24;
    }

    // Returns whether two members do the same; their numbers do not count.
    static bool agree(uint64_t a, uint64_t b) { return (a ^ b) < (1u << 24); }

    static Collective collective(uint64_t word) { return static_cast<Collective>(word >> 58); }

    static int phase(uint64_t word) { return static_cast<int>(word >> 56 & 3); }

    static int operation(uint64_t word) { return static_cast<int>(word >> 48 & 255); }

    static int root_or_hash(uint64_t word) { return static_cast<int>(word >> 24 & 0xffffff) - 1; }

    // Returns -1 if the operation has no root.
    static int root(uint64_t word) {
        return collective(word) == Collective::ReduceScatter ? -1 : root_or_hash(word);
    }

    static int member(uint64_t word) { return static_cast<int>(word & 0xffffff); }
};

} // namespace thrum
